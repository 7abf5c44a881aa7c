/** Asks before a room is deleted, or says why it cannot be. */
import type { Room } from '@haris/contract/http/rooms';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { useDeleteRoom } from './api.ts';

export interface DeleteRoomDialogProps {
  opened: boolean;
  onClose: () => void;
  room: Room;
}

export function DeleteRoomDialog({ opened, onClose, room }: DeleteRoomDialogProps) {
  const { t } = useTranslation('rooms');
  const remove = useDeleteRoom();
  const reasons = [
    ...(room.isDefault ? [t('why.default')] : []),
    ...(room.children > 0 ? [t('why.children', { count: room.children })] : []),
    ...(room.cameras > 0 ? [t('why.cameras', { count: room.cameras })] : []),
    ...(room.sensors > 0 ? [t('why.sensors', { count: room.sensors })] : []),
  ];
  if (reasons.length > 0)
    return (
      <Dialog opened={opened} onClose={onClose} title={t('cannotDelete', { name: room.name })}>
        <Stack gap="md">
          <ul style={{ margin: 0 }}>
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus>
              {t('understood')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    );
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('deleteTitle', { name: room.name })}
      confirmLabel={t('deleteConfirm')}
      dangerous
      busy={remove.isPending}
      onConfirm={() =>
        remove.mutate(room._id, {
          onSuccess: () => notifySuccess(t('deleted')),
          onError: (error) => showFailure(error),
          onSettled: onClose,
        })
      }
    >
      <Text>{room.homeChildren > 0 ? t('deleteHome', { count: room.homeChildren }) : t('deleteText')}</Text>
    </ConfirmDialog>
  );
}
