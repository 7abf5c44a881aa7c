/**
 * Confirms the unverified e-mail address of a parent: directly if staff created the account, otherwise by code or link.
 */
import { accountRoutes } from '@haris/contract/http/accounts';
import type { Parent } from '@haris/contract/objects';
import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys, refetchStale } from '../../../calls/query-client.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { notifySuccess } from '../../../ui/toast.ts';
import { useRegistration, Vouching } from '../../../vouching/vouching.tsx';

export interface VouchDialogProps {
  parent: Parent;
  opened: boolean;
  onClose: () => void;
}

export function VouchDialog({ parent, opened, onClose }: VouchDialogProps) {
  const { t } = useTranslation('vouching');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('title', { name: `\u2068${parent.name}\u2069` })}>
      <VouchBody parent={parent} onClose={onClose} />
    </Dialog>
  );
}

function VouchBody({ parent, onClose }: Omit<VouchDialogProps, 'opened'>) {
  const { t } = useTranslation(['vouching', 'dashboard']);
  const { data: registration, isError, refetch, isRefetching } = useRegistration(parent._id, true);
  if (isError)
    return (
      <ErrorState text={t('dashboard:families.error')} onRetry={() => void refetch()} busy={isRefetching} />
    );
  if (registration === undefined) return <Text role="status">{t('loading')}</Text>;
  if (registration.by === 'staff') return <MarkVerified parent={parent} onClose={onClose} />;
  return <Vouching parentId={parent._id} registration={registration} onDone={onClose} />;
}

/** For an account that staff created: marks its e-mail address as verified. */
function MarkVerified({ parent, onClose }: Omit<VouchDialogProps, 'opened'>) {
  const { t } = useTranslation('dashboard');
  const client = useQueryClient();
  const verify = useMutation({
    mutationFn: () => call(accountRoutes.markParentVerified, { params: { id: parent._id }, body: {} }),
    onSuccess: async () => {
      notifySuccess(t('families.markedVerified'));
      await refetchStale(client, [keys.parents]);
      onClose();
    },
    onError: (error) => showFailure(error),
  });
  return (
    <Stack gap="md">
      <Text>{t('families.markVerifiedLead', { email: `\u2066${parent.email}\u2069` })}</Text>
      <Button loading={verify.isPending} onClick={() => verify.mutate()} data-autofocus>
        {t('families.markVerified')}
      </Button>
    </Stack>
  );
}
