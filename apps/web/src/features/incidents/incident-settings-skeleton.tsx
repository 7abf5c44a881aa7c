/** Placeholder of the incident settings, with the same layout. */
import { SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../../ui/card.tsx';

/** Two cards of limits with four fields each. */
export function SettingsSkeleton() {
  const { t } = useTranslation('incidents');
  return (
    <Stack gap="lg" role="status" aria-label={t('settings.loading')}>
      {['temperature', 'air'].map((card) => (
        <Card key={card}>
          <Skeleton height={20} width="40%" mb="md" />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            {['from', 'lower', 'after', 'over'].map((field) => (
              <div key={field}>
                <Skeleton height={16} width="55%" mb="xs" />
                <Skeleton height={42} />
              </div>
            ))}
          </SimpleGrid>
        </Card>
      ))}
    </Stack>
  );
}
