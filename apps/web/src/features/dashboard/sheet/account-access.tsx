/** Actions of the desk on a family's account: block or unblock it, and reset a lost second factor. */
import { factorRoutes } from '@haris/contract/http/factors';
import { sessionRoutes } from '@haris/contract/http/session';
import type { Parent } from '@haris/contract/objects';
import { Alert, Button, Text } from '@mantine/core';
import { IconLock, IconLockOpen, IconShieldOff } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { useSendsMail } from '../../../setup/mail-note.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { notifySuccess } from '../../../ui/toast.ts';

type Asked = 'block' | 'factors' | null;

/** Buttons in the sheet's section for corrections. */
export function AccountAccess({ parent }: { parent: Parent }) {
  const { t } = useTranslation('child');
  const client = useQueryClient();
  const sendsMail = useSendsMail();
  const [asked, setAsked] = useState<Asked>(null);
  const isBlocked = parent.blockedAt !== undefined;
  const params = { id: parent._id };
  const settle = () => {
    setAsked(null);
    void client.invalidateQueries({ queryKey: [keys.parents] });
  };
  const onError = (error: unknown) => showFailure(error);
  const block = useMutation({
    mutationFn: () =>
      call(sessionRoutes.blockParent, { params, body: { access: isBlocked ? 'allowed' : 'blocked' } }),
    onSuccess: () => notifySuccess(t(isBlocked ? 'access.unblocked' : 'access.blocked')),
    onError,
    onSettled: settle,
  });
  const reset = useMutation({
    mutationFn: () => call(factorRoutes.resetParentFactors, { params }),
    onSuccess: () => notifySuccess(t('access.factorsReset')),
    onError,
    onSettled: settle,
  });
  return (
    <>
      <Button
        size="sm"
        variant="subtle"
        leftSection={<IconShieldOff size={18} aria-hidden />}
        onClick={() => setAsked('factors')}
      >
        {t('access.resetFactors')}
      </Button>
      <Button
        size="sm"
        variant="subtle"
        color={isBlocked ? 'pine' : 'clay'}
        leftSection={isBlocked ? <IconLockOpen size={18} aria-hidden /> : <IconLock size={18} aria-hidden />}
        onClick={() => setAsked('block')}
      >
        {t(isBlocked ? 'access.unblock' : 'access.block')}
      </Button>
      <ConfirmDialog
        opened={asked === 'block'}
        onClose={() => setAsked(null)}
        onConfirm={() => block.mutate()}
        title={t(isBlocked ? 'access.unblock' : 'access.block')}
        confirmLabel={t(isBlocked ? 'access.unblock' : 'access.block')}
        dangerous={!isBlocked}
        busy={block.isPending}
      >
        {t(isBlocked ? 'access.unblockSure' : 'access.blockSure', { name: parent.name })}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'factors'}
        onClose={() => setAsked(null)}
        onConfirm={() => reset.mutate()}
        title={t('access.resetFactors')}
        confirmLabel={t('access.resetFactors')}
        dangerous
        busy={reset.isPending}
      >
        {t(sendsMail ? 'access.resetFactorsSure' : 'access.resetFactorsSureKept', { name: parent.name })}
      </ConfirmDialog>
    </>
  );
}

/** Says at the top of the sheet that the family is blocked. */
export function BlockedNote({ parent }: { parent: Parent }) {
  const { t } = useTranslation('child');
  if (parent.blockedAt === undefined) return null;
  return (
    <Alert mt="md" color="clay" variant="light" icon={<IconLock size={20} aria-hidden />}>
      <Text size="sm">{t('access.isBlocked')}</Text>
    </Alert>
  );
}
