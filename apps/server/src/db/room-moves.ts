/** Moves of children between rooms: the current room of a stay, and the record of each change. */
import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Database, StayRow } from './schema.ts';
import { isOpenStay } from './stays.ts';

/** The open stays of some children, unordered. */
export async function findStaysToMove(
  trx: Transaction<Database>,
  childIds: readonly string[],
): Promise<Pick<StayRow, 'id' | 'child_id' | 'room_id'>[]> {
  return trx
    .selectFrom('stays')
    .select(['id', 'child_id', 'room_id'])
    .where('child_id', 'in', childIds)
    .where(isOpenStay)
    .execute();
}

/** Puts stays into a room and records it. `at`: milliseconds since 1970. */
export async function moveStays(
  trx: Transaction<Database>,
  facility: string,
  stays: readonly Pick<StayRow, 'id' | 'room_id'>[],
  { to, by, at }: { readonly to: string; readonly by: string; readonly at: number },
): Promise<void> {
  if (stays.length === 0) return;
  await trx
    .updateTable('stays')
    .set({ room_id: to, room_since: at })
    .where(
      'id',
      'in',
      stays.map(({ id }) => id),
    )
    .execute();
  await trx
    .insertInto('room_moves')
    .values(
      stays.map(({ id, room_id }) => ({
        id: randomUUID(),
        facility_id: facility,
        stay_id: id,
        from_room_id: room_id,
        to_room_id: to,
        by_id: by,
        at,
      })),
    )
    .execute();
}

/** Deletes the moves of a child's stays. */
export async function deleteMovesOf(trx: Transaction<Database>, childId: string): Promise<void> {
  await trx
    .deleteFrom('room_moves')
    .where('stay_id', 'in', (eb) => eb.selectFrom('stays').select('stays.id').where('child_id', '=', childId))
    .execute();
}
