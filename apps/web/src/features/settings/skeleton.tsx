/** A panel of the settings while it loads. */
import { Skeleton, Stack } from '@mantine/core';
import { Card } from '../../ui/card.tsx';

export function PanelSkeleton() {
  return (
    <Card aria-hidden>
      <Stack gap="md">
        {['name', 'phone', 'zone', 'format'].map((row) => (
          <Skeleton key={row} h={44} />
        ))}
      </Stack>
    </Card>
  );
}
