/** Deletes a role that nobody has. */
import { type Role, roleRoutes } from '@haris/contract/http/roles';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notifySuccess } from '../../ui/toast.ts';

export interface DeleteRoleDialogProps {
  opened: boolean;
  role: Role | null;
  onClose: () => void;
}

export function DeleteRoleDialog({ opened, role, onClose }: DeleteRoleDialogProps) {
  const { t } = useTranslation('roles');
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: (id: string) => call(roleRoutes.deleteRole, { params: { id } }),
    onSuccess: () => notifySuccess(t('deleteDialog.done')),
    onError: (error) => showFailure(error),
    onSettled: () => {
      onClose();
      void client.invalidateQueries({ queryKey: [keys.admins] });
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => {
        if (role !== null) remove.mutate(role._id);
      }}
      title={t('deleteDialog.title')}
      confirmLabel={t('deleteDialog.confirm')}
      dangerous
      busy={remove.isPending}
    >
      {t('deleteDialog.question', { name: role?.name ?? '' })}
    </ConfirmDialog>
  );
}
