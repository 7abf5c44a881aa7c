/** Removes the PIN of a family that has forgotten it. Only the parent can set a new one; where mails are sent, one informs the parent. */
import { kioskRoutes } from '@haris/contract/http/kiosk';
import { Button } from '@mantine/core';
import { IconKeyOff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { useSendsMail } from '../../../setup/mail-note.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { notifySuccess } from '../../../ui/toast.ts';
import { isRefusedOffline } from '../stays/offline.ts';

export function KioskPinReset({ parentId, name }: { parentId: string; name: string }) {
  const { t } = useTranslation('child');
  const sendsMail = useSendsMail();
  const [isAsking, setAsking] = useState(false);
  const reset = useMutation({
    mutationFn: () => call(kioskRoutes.resetKioskPin, { params: { id: parentId } }),
    onSuccess: () => notifySuccess(t('family.kioskPin.done')),
    onError: (error) => showFailure(error),
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <Button
        size="sm"
        variant="subtle"
        leftSection={<IconKeyOff size={18} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('family.kioskPin.button')}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('family.kioskPin.title', { name })}
        confirmLabel={t('family.kioskPin.button')}
        busy={reset.isPending}
        onConfirm={() => {
          if (!isRefusedOffline()) reset.mutate();
        }}
      >
        {t(sendsMail ? 'family.kioskPin.text' : 'family.kioskPin.textKept')}
      </ConfirmDialog>
    </>
  );
}
