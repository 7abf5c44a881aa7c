/** Adds sample data to an empty installation, and removes it in one press. */
import { type Setup, setupRoutes } from '@haris/contract/http/setup';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconTrash, IconWand } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys, refetchStale } from '../../calls/query-client.ts';
import { Card } from '../../ui/card.tsx';
import { notifySuccess } from '../../ui/toast.ts';

export function SamplePanel({ sample: known }: { sample: Setup['sample'] }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const refresh = () =>
    refetchStale(client, [keys.settings, keys.parents, keys.children, keys.cameras, keys.sensors]);
  const change = useMutation({
    mutationFn: async (isAdded: boolean) => {
      await (isAdded ? call(setupRoutes.addSampleData) : call(setupRoutes.removeSampleData));
      return isAdded;
    },
    onSuccess: (isAdded) => {
      notifySuccess(t(isAdded ? 'sample.added' : 'sample.removed'));
      return refresh();
    },
    onError: (error) => {
      showFailure(error);
      void refresh();
    },
  });
  const isAdding = change.isPending && change.variables;
  // The first rows exist before the last child is painted.
  const sample = isAdding ? 'possible' : known;
  return (
    <Card component="section" aria-labelledby="sample-title">
      <Stack gap="sm">
        <Title order={2} id="sample-title" fz="h4">
          {t('sample.title')}
        </Title>
        <Text>{sample === 'present' ? t('sample.present') : t('sample.text')}</Text>
        <Text size="sm" c="dimmed" role="status">
          {isAdding ? t('sample.adding') : sample === 'impossible' ? t('sample.impossible') : null}
        </Text>
        <Group>
          {sample === 'possible' ? (
            <Button
              leftSection={<IconWand size={18} aria-hidden />}
              loading={change.isPending}
              onClick={() => change.mutate(true)}
            >
              {t('sample.add')}
            </Button>
          ) : null}
          {sample === 'present' ? (
            <Button
              variant="default"
              leftSection={<IconTrash size={18} aria-hidden />}
              loading={change.isPending}
              onClick={() => change.mutate(false)}
            >
              {t('sample.remove')}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Card>
  );
}
