/** Asks before an employee's account goes. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { sensorRoutes } from '@haris/contract/http/sensors';
import type { Admin } from '@haris/contract/objects';
import { Checkbox, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { keys } from '../../client/query-client.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { type Roster, rosterKey, withoutEmployee } from './queries.ts';

const homeAssistantKey = [keys.sensors, 'home-assistant'] as const;

/** How many accounts of Home Assistant the employee made, which end with the employee or are handed over. */
function useAccountsMadeBy(employee: Admin | null, isWanted: boolean): number {
  const { data } = useQuery({
    queryKey: homeAssistantKey,
    queryFn: ({ signal }) => call(sensorRoutes.listHomeAssistantAccounts, { signal }),
    enabled: isWanted,
  });
  return data?.accounts.filter(({ madeBy }) => madeBy === employee?._id).length ?? 0;
}

export interface DeleteEmployeeDialogProps {
  opened: boolean;
  /** Stays while the dialog fades out; null before the first question. */
  employee: Admin | null;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteEmployeeDialog({ opened, employee, onClose, onDeleted }: DeleteEmployeeDialogProps) {
  const { t } = useTranslation('employees');
  const client = useQueryClient();
  const [handsOver, setHandsOver] = useState(false);
  const made = useAccountsMadeBy(employee, opened);
  const remove = useMutation({
    mutationFn: () =>
      call(accountRoutes.deleteAdmin, {
        params: { id: employee?._id ?? '' },
        query: { handOver: handsOver ? 'true' : undefined },
      }),
    onSuccess: () => {
      notifySuccess(t('deleteDialog.success'));
      // Gone at once, and with it what opened this dialog: the focus must not return there for a moment only.
      client.setQueriesData<Roster>(
        { queryKey: rosterKey },
        (roster) => roster && withoutEmployee(roster, employee?._id ?? ''),
      );
      onDeleted();
    },
    onError: (error) => showFailure(error, t('deleteDialog.failed')),
    // Also after a failure: somebody else may have been quicker.
    onSettled: () => {
      setHandsOver(false);
      void client.invalidateQueries({ queryKey: [keys.admins] });
      void client.invalidateQueries({ queryKey: homeAssistantKey });
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      title={t('deleteDialog.title')}
      confirmLabel={t('deleteDialog.confirm')}
      cancelLabel={t('deleteDialog.cancel')}
      busy={remove.isPending}
      dangerous
    >
      <Stack gap="xs">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {t('deleteDialog.question', { name: employee?.name ?? '' })}
        </Text>
        <Text>{t('deleteDialog.consequence')}</Text>
        {made === 0 ? null : (
          <>
            <Text>{t('deleteDialog.homeAssistant', { count: made })}</Text>
            <Checkbox
              label={t('deleteDialog.handOver')}
              checked={handsOver}
              onChange={(event) => setHandsOver(event.currentTarget.checked)}
            />
          </>
        )}
        <Text c="dimmed">{t('deleteDialog.final')}</Text>
      </Stack>
    </ConfirmDialog>
  );
}
