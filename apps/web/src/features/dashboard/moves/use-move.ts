/** Moves children inside to another room: one call for all of them, all or none; a toast offers to undo it. */
import { roomRoutes } from '@haris/contract/http/rooms';
import type { Child } from '@haris/contract/objects';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { useRooms } from '../../../calls/rooms.ts';
import { useMay } from '../../../session/may.ts';
import { notifySuccess } from '../../../ui/toast.ts';
import { showChild } from '../lists/show-child.ts';
import { undoOffers, useUndoToast } from '../undo/undo.ts';

export interface Move {
  /** As they were before. */
  readonly children: readonly Child[];
  readonly roomId: string;
  /** Why a hard limit is exceeded. */
  readonly reason?: string;
}

export function useMove() {
  const { t } = useTranslation('dashboard');
  const client = useQueryClient();
  const showUndoToast = useUndoToast();
  return useMutation({
    mutationFn: ({ children, roomId, reason }: Move) =>
      call(roomRoutes.moveChildren, {
        body: {
          childIds: children.map(({ _id }) => _id),
          roomId,
          ...(reason ? { overCapacityReason: reason } : {}),
        },
      }),
    onSuccess: ({ children, room }, { children: before }) => {
      for (const child of children) showChild(client, child);
      const text = t('move.done', { count: children.length, room: room.name });
      const moved = before.filter(({ roomId }) => roomId !== null && roomId !== room._id);
      if (moved.length === 0) notifySuccess(text);
      else showUndoToast(text, undoOffers.hold('move', moved).open());
    },
    onError: (error) => showFailure(error),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: [keys.children] });
      void client.invalidateQueries({ queryKey: [keys.rooms] });
    },
  });
}

/** Whether this person can move a child anywhere: there is more than one room. */
export function useMayMove(): boolean {
  const may = useMay();
  const rooms = useRooms().data;
  return may('children.move') && (rooms?.length ?? 0) > 1;
}
