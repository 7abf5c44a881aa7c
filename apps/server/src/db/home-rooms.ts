/** Home rooms: where a child is checked in, at each facility where it is known (decisions 043 and 048). */
import { type Kysely, sql, type Transaction } from 'kysely';
import { facilityOrNull } from '../facility.ts';
import type { Database } from './schema.ts';

/**
 * Column of a query on `children` and `stays`: the home room at the facility of the current work, so that staff learn
 * nothing of the one at another; for the whole organisation, the home room at the facility of the open stay.
 */
export function homeRoomHere() {
  const facility = facilityOrNull();
  return sql<string | null>`(select place.home_room_id from child_facilities as place
    where place.child_id = children.id and place.facility_id = ${facility ?? sql.ref('stays.facility_id')})`.as(
    'home_room_id',
  );
}

/** Where a child is checked in at a facility; null: in the default room. */
export async function findHomeRoom(
  db: Kysely<Database> | Transaction<Database>,
  childId: string,
  facility: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('child_facilities')
    .select('home_room_id')
    .where('child_id', '=', childId)
    .where('facility_id', '=', facility)
    .executeTakeFirst();
  return row?.home_room_id ?? null;
}

/** `roomId`: where the child is checked in at that facility from now on; null: in the default room. */
export async function setHomeRoom(
  trx: Transaction<Database>,
  childId: string,
  facility: string,
  roomId: string | null,
): Promise<void> {
  await trx
    .updateTable('child_facilities')
    .set({ home_room_id: roomId })
    .where('child_id', '=', childId)
    .where('facility_id', '=', facility)
    .execute();
}
