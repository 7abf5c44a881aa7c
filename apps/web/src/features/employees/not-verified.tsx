/** Actions for an employee whose e-mail is not verified: mail the link again, or vouch for the address. */
import { sheetRoutes } from '@haris/contract/http/sheets';
import type { Admin } from '@haris/contract/objects';
import { Badge, Button, Group } from '@mantine/core';
import { IconMailExclamation } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../calls/api-error.ts';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { Allowed } from '../../session/allowed.tsx';
import { useSendsMail } from '../../setup/mail-note.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notifyBlank, notifySuccess } from '../../ui/toast.ts';

export function NotVerified({ employee }: { employee: Admin }) {
  const { t } = useTranslation('employees');
  const client = useQueryClient();
  const sendsMail = useSendsMail();
  const [isAsking, setAsking] = useState(false);
  const readAgain = () => void client.invalidateQueries({ queryKey: [keys.admins] });
  const params = { id: employee._id };
  const resend = useMutation({
    mutationFn: () => call(sheetRoutes.resendAdminLink, { params }),
    onSuccess: () => (sendsMail ? notifySuccess(t('resent')) : notifyBlank(t('resentKept'))),
    onError: (error) => {
      // The last link is a few minutes old and still valid.
      if (error instanceof ApiError && error.code === 'too_many_attempts') notifyBlank(t('resentLately'));
      else showFailure(error);
    },
    onSettled: readAgain,
  });
  const verify = useMutation({
    mutationFn: () => call(sheetRoutes.markAdminVerified, { params }),
    onSuccess: () => notifySuccess(t('markedVerified')),
    onError: (error) => showFailure(error),
    onSettled: () => {
      setAsking(false);
      readAgain();
    },
  });
  return (
    <div>
      <Badge
        tt="none"
        color="saffron"
        variant="light"
        leftSection={<IconMailExclamation size={14} aria-hidden />}
      >
        {t('notVerified')}
      </Badge>
      <Allowed to="staff.manage">
        <Group gap="xs" mt={6}>
          <Button
            size="compact-sm"
            variant="default"
            loading={resend.isPending}
            aria-label={t(sendsMail ? 'resendOf' : 'resendOfKept', { name: employee.name })}
            onClick={() => resend.mutate()}
          >
            {t(sendsMail ? 'resend' : 'resendKept')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('markVerifiedOf', { name: employee.name })}
            onClick={() => setAsking(true)}
          >
            {t('markVerified')}
          </Button>
        </Group>
      </Allowed>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => verify.mutate()}
        title={t('markVerified')}
        confirmLabel={t('markVerified')}
        busy={verify.isPending}
      >
        {t('markVerifiedLead', { email: `\u2066${employee.email}\u2069` })}
      </ConfirmDialog>
    </div>
  );
}
