/** Whether desk tablets keep a list of the children for a time without a connection (decision 055). */
import { operationRoutes } from '@haris/contract/http/operations';
import { Stack, Switch, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { isSecurePage } from '../../ui/secure-page.ts';
import { notifySuccess } from '../../ui/toast.ts';

export function DeskOfflinePanel({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const [isSure, setSure] = useState(false);
  const save = useMutation({
    mutationFn: (deskOffline: boolean) => call(operationRoutes.updateSettings, { body: { deskOffline } }),
    onSuccess: async () => {
      notifySuccess(t('saved'));
      await client.invalidateQueries({ queryKey: [keys.settings] });
    },
    onError: (error) => showFailure(error),
    onSettled: () => setSure(false),
  });
  return (
    <Card component="section" aria-labelledby="desk-offline-title">
      <Stack gap="sm">
        <Title order={2} fz="lg" id="desk-offline-title">
          {t('deskOffline.title')}
        </Title>
        <Switch
          size="md"
          label={t('deskOffline.label')}
          description={t('deskOffline.hint')}
          checked={isOn}
          disabled={save.isPending}
          onChange={({ currentTarget: { checked } }) => {
            // Nothing may lie on a tablet before somebody has read what that is.
            if (checked) setSure(true);
            else save.mutate(false);
          }}
        />
        <Text size="sm">{t('deskOffline.what')}</Text>
        <Text size="sm">{t('deskOffline.risk')}</Text>
        {isSecurePage() ? null : <Text size="sm">{t('deskOffline.insecure')}</Text>}
      </Stack>
      <ConfirmDialog
        opened={isSure}
        onClose={() => setSure(false)}
        onConfirm={() => save.mutate(true)}
        title={t('deskOffline.label')}
        confirmLabel={t('deskOffline.switchOn')}
        busy={save.isPending}
      >
        <Stack gap="sm">
          <Text>{t('deskOffline.what')}</Text>
          <Text>{t('deskOffline.risk')}</Text>
        </Stack>
      </ConfirmDialog>
    </Card>
  );
}
