/** Whether a second person agrees to deletions and exports (decision 047). */
import { operationRoutes } from '@haris/contract/http/operations';
import { Stack, Switch, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { useMay } from '../../session/may.ts';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notifySuccess } from '../../ui/toast.ts';

export function SecondPersonPanel({ isWanted }: { isWanted: boolean }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const mayChange = useMay()('security.manage');
  const [isSure, setSure] = useState(false);
  const save = useMutation({
    mutationFn: (secondPerson: boolean) => call(operationRoutes.updateSettings, { body: { secondPerson } }),
    onSuccess: async () => {
      notifySuccess(t('saved'));
      await client.invalidateQueries({ queryKey: [keys.settings] });
    },
    onError: (error) => showFailure(error),
    onSettled: () => setSure(false),
  });
  return (
    <Card component="section" aria-labelledby="second-person-title">
      <Stack gap="sm">
        <Title order={2} fz="lg" id="second-person-title">
          {t('secondPerson.title')}
        </Title>
        <Switch
          size="md"
          label={t('secondPerson.label')}
          description={t('secondPerson.hint')}
          checked={isWanted}
          disabled={!mayChange || save.isPending}
          onChange={({ currentTarget: { checked } }) => {
            if (checked) setSure(true);
            else save.mutate(false);
          }}
        />
      </Stack>
      <ConfirmDialog
        opened={isSure}
        onClose={() => setSure(false)}
        onConfirm={() => save.mutate(true)}
        title={t('secondPerson.label')}
        confirmLabel={t('secondPerson.switchOn')}
        busy={save.isPending}
      >
        {t('secondPerson.sure')}
      </ConfirmDialog>
    </Card>
  );
}
