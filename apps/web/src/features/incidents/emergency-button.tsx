/** Begins an evacuation: held down for a second and a half, or pressed and asked where holding is not possible. */
import { incidentRoutes } from '@haris/contract/http/incidents';
import { Text } from '@mantine/core';
import { IconDoorExit } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { keys } from '../../client/query-client.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { evacuationKey } from './api.ts';
import { HoldButton } from './hold-button.tsx';

export function EmergencyButton() {
  const { t } = useTranslation('incidents');
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const start = useMutation({
    mutationFn: () => call(incidentRoutes.startEvacuation, { body: {} }),
    onSuccess: (answer) => {
      setAsking(false);
      // The roll call opens here at once, whether or not the stream of events is up.
      client.setQueryData(evacuationKey, answer);
      void client.invalidateQueries({ queryKey: [keys.incidents] });
    },
    onError: (error) => showFailure(error),
  });
  return (
    <>
      <HoldButton
        icon={<IconDoorExit size={20} aria-hidden />}
        hint={t('emergency.hint')}
        holding={t('emergency.holding')}
        onHeld={() => start.mutate()}
        onPressed={() => setAsking(true)}
        disabled={start.isPending}
      >
        {t('emergency.button')}
      </HoldButton>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => start.mutate()}
        title={t('emergency.title')}
        confirmLabel={t('emergency.confirm')}
        cancelLabel={t('cancel')}
        busy={start.isPending}
        dangerous
      >
        <Text>{t('emergency.question')}</Text>
      </ConfirmDialog>
    </>
  );
}
