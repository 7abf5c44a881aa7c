/** The rooms of the facility with the children and staff in them; for staff who may see them. */
import { type Room, roomRoutes } from '@haris/contract/http/rooms';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../session/may.ts';
import { call } from './http.ts';
import { keys } from './query-client.ts';

/** All rooms by name. Never loads for people who may not see them. */
export function useRooms() {
  const may = useMay();
  return useQuery({
    queryKey: [keys.rooms, 'list'],
    queryFn: async ({ signal }): Promise<readonly Room[]> =>
      (await call(roomRoutes.listRooms, { signal })).rooms,
    enabled: may('rooms.view'),
  });
}

/** Whether `coming` more children exceed a hard limit. Only staff who manage rooms can override it, with a reason. */
export function isFull({ capacity, capacityKind, children }: Room, coming = 1): boolean {
  return capacity !== null && capacityKind === 'hard' && children + coming > capacity;
}
