/** What comes, in its shape, so that nothing moves when it is there. */
import { Group, Skeleton, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import families from './families.module.css';
import inside from './inside.module.css';

function rowsOf(count: number): number[] {
  return Array.from({ length: count }, (_, row) => row);
}

/** Rows of Children in Monitored Area. */
export function InsideSkeleton() {
  const { t } = useTranslation('common');
  return (
    <div className={inside.list} role="status" aria-label={t('loading')}>
      {rowsOf(5).map((row) => (
        <div key={row} className={inside.row}>
          <Skeleton circle height={44} />
          <Stack gap={7} className={inside.who ?? ''}>
            <Skeleton height={15} width="65%" />
            <Skeleton height={12} width="45%" />
            <Skeleton height={10} width="70%" />
          </Stack>
          <Skeleton height={22} width={58} className={inside.clock ?? ''} />
          <div className={inside.actions}>
            <Skeleton height={36} width={120} />
          </div>
        </div>
      ))}
    </div>
  );
}

/** Families of Parents & Children. */
export function FamiliesSkeleton() {
  const { t } = useTranslation('common');
  return (
    <div className={families.list} role="status" aria-label={t('loading')}>
      {rowsOf(5).map((row) => (
        <div key={row} className={families.family}>
          <div className={families.parent}>
            <Skeleton circle height={44} />
            <Stack gap={8}>
              <Skeleton height={16} width="50%" />
              <Skeleton height={12} width="75%" />
            </Stack>
            <Group gap={6} className={families.actions ?? ''}>
              <Skeleton height={30} width={104} />
              <Skeleton height={30} width={116} />
            </Group>
          </div>
          <div className={families.children}>
            <Skeleton height={56} radius="md" />
            <Skeleton height={56} radius="md" />
          </div>
        </div>
      ))}
    </div>
  );
}
