/** Placeholder of the list of families, in its shape, so that the layout does not move when the list arrives. */
import { Group, Skeleton, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './families.module.css';

/** Placeholder rows. */
const ROWS = [0, 1, 2, 3, 4];

export function FamiliesSkeleton() {
  const { t } = useTranslation('common');
  return (
    <div className={classes.list} role="status" aria-label={t('loading')}>
      {ROWS.map((row) => (
        <div key={row} className={classes.family}>
          <div className={classes.parent}>
            <Skeleton circle height={44} />
            <Stack gap={8}>
              <Skeleton height={16} width="50%" />
              <Skeleton height={12} width="75%" />
            </Stack>
            <Group gap={6} className={classes.actions ?? ''}>
              <Skeleton height={30} width={104} />
              <Skeleton height={30} width={116} />
            </Group>
          </div>
          <div className={classes.children}>
            <Skeleton height={56} radius="md" />
            <Skeleton height={56} radius="md" />
          </div>
        </div>
      ))}
    </div>
  );
}
