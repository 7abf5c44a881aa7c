/** Whether entry slips name the allergies of the child (decision 050). */
import { operationRoutes } from '@haris/contract/http/operations';
import { Stack, Switch, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys, refetchStale } from '../../calls/query-client.ts';
import { Card } from '../../ui/card.tsx';
import { notifySuccess } from '../../ui/toast.ts';

export function SlipPanel({ namesAllergies }: { namesAllergies: boolean }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (slipAllergies: boolean) => call(operationRoutes.updateSettings, { body: { slipAllergies } }),
    onSuccess: async () => {
      notifySuccess(t('saved'));
      await refetchStale(client, [keys.settings, keys.care]);
    },
    onError: (error) => showFailure(error),
  });
  return (
    <Card component="section" aria-labelledby="slip-title" mt="md">
      <Stack gap="sm">
        <Title order={2} fz="lg" id="slip-title">
          {t('slip.title')}
        </Title>
        <Switch
          size="md"
          label={t('slip.label')}
          description={t('slip.hint')}
          checked={namesAllergies}
          disabled={save.isPending}
          onChange={({ currentTarget: { checked } }) => save.mutate(checked)}
        />
      </Stack>
    </Card>
  );
}
