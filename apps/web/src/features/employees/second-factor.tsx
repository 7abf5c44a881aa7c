/** That an employee has a second factor, and its reset after a lost phone. */
import { factorRoutes } from '@haris/contract/http/factors';
import type { Admin } from '@haris/contract/objects';
import { Badge, Button } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { useMay } from '../../session/may.ts';
import { useSendsMail } from '../../setup/mail-note.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notifySuccess } from '../../ui/toast.ts';

/** `isOwn`: the employee is the signed-in person, whose factors are on the account page. */
export function SecondFactor({ employee, isOwn }: { employee: Admin; isOwn: boolean }) {
  const { t } = useTranslation('employees');
  const client = useQueryClient();
  const sendsMail = useSendsMail();
  const mayReset = useMay()('security.manage');
  const [isAsking, setAsking] = useState(false);
  const reset = useMutation({
    mutationFn: () => call(factorRoutes.resetStaffFactors, { params: { id: employee._id } }),
    onSuccess: () => notifySuccess(t('factorsReset')),
    onError: (error) => showFailure(error),
    onSettled: () => {
      setAsking(false);
      void client.invalidateQueries({ queryKey: [keys.admins] });
    },
  });
  if (employee.hasSecondFactor !== true) return null;
  return (
    <div>
      <Badge tt="none" variant="light" leftSection={<IconShieldCheck size={14} aria-hidden />}>
        {t('secondFactor')}
      </Badge>
      {isOwn || !mayReset ? null : (
        <Button
          ms="xs"
          size="compact-sm"
          variant="default"
          aria-label={t('resetFactorsOf', { name: employee.name })}
          onClick={() => setAsking(true)}
        >
          {t('resetFactors')}
        </Button>
      )}
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => reset.mutate()}
        title={t('resetFactors')}
        confirmLabel={t('resetFactors')}
        dangerous
        busy={reset.isPending}
      >
        {t(sendsMail ? 'resetFactorsSure' : 'resetFactorsSureKept', { name: employee.name })}
      </ConfirmDialog>
    </div>
  );
}
