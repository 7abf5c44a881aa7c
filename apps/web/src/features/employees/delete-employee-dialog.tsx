/** Confirms the deletion of an employee's account. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { sensorRoutes } from '@haris/contract/http/sensors';
import type { Admin } from '@haris/contract/objects';
import { Checkbox, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { useMay } from '../../session/may.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { type Roster, rosterKey, withoutEmployee } from './queries.ts';

const homeAssistantKey = [keys.sensors, 'home-assistant'] as const;

/** Number of Home Assistant accounts that the employee created; they are deleted or handed over. */
function useAccountsMadeBy(employee: Admin | null, isWanted: boolean): number {
  const maySee = useMay()('integrations.manage');
  const { data } = useQuery({
    queryKey: homeAssistantKey,
    queryFn: ({ signal }) => call(sensorRoutes.listHomeAssistantAccounts, { signal }),
    enabled: isWanted && maySee,
  });
  return data?.accounts.filter(({ madeBy }) => madeBy === employee?._id).length ?? 0;
}

export interface DeleteEmployeeDialogProps {
  opened: boolean;
  /** Stays set while the dialog fades out; null before the first use. */
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
      // The card disappears at once with the button that opened the dialog, so focus must not return there.
      client.setQueriesData<Roster>(
        { queryKey: rosterKey },
        (roster) => roster && withoutEmployee(roster, employee?._id ?? ''),
      );
      onDeleted();
    },
    onError: (error) => showFailure(error, t('deleteDialog.failed')),
    // Refetch after a failure too, because somebody else may have deleted the account.
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
