/** Calls by which staff set up rooms and say where they are. */
import { type Room, roomRoutes } from '@haris/contract/http/rooms';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';

export type RoomInput = z.input<typeof roomRoutes.createRoom.body>;

function useReadAgain() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [keys.rooms] });
}

/** Adds a room, or changes the one with the given id. */
export function useSaveRoom(room: Room | null) {
  const readAgain = useReadAgain();
  return async ({ isDefault, ...body }: RoomInput): Promise<Room> => {
    // A room stops being the default only when another becomes it.
    const chosen = isDefault && !room?.isDefault ? { isDefault: true as const } : {};
    const saved =
      room === null
        ? await call(roomRoutes.createRoom, { body: { ...body, ...chosen } })
        : await call(roomRoutes.updateRoom, { params: { id: room._id }, body: { ...body, ...chosen } });
    await readAgain();
    return saved.room;
  };
}

export function useDeleteRoom() {
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: (id: string) => call(roomRoutes.deleteRoom, { params: { id } }),
    onSettled: readAgain,
  });
}

/** Says that oneself is in a room, or no longer. */
export function useSetPresence() {
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: ({ id, presence }: { id: string; presence: 'here' | 'gone' }) =>
      call(roomRoutes.setPresence, { params: { id }, body: { presence } }),
    onSettled: readAgain,
  });
}
