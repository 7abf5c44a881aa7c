/** The room in which each staff member is, and since when. A row of an earlier day counts no longer. */
import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

export interface StaffInRoom {
  readonly room_id: string;
  readonly staff_id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly from_at: number;
}

/** The staff in all rooms, by name. `dayStart`: when the facility's day began, in milliseconds since 1970. */
export async function findStaffInRooms(
  db: Reader,
  facility: string,
  dayStart: number,
): Promise<StaffInRoom[]> {
  return db
    .selectFrom('room_staff')
    .innerJoin('staff', 'staff.id', 'room_staff.staff_id')
    .select(['room_staff.room_id', 'room_staff.staff_id', 'staff.name', 'room_staff.from_at'])
    .where('room_staff.facility_id', '=', facility)
    .where('room_staff.to_at', 'is', null)
    .where('room_staff.from_at', '>=', dayStart)
    .orderBy('staff.sort_name')
    .orderBy('staff.id')
    .execute();
}

/** Whether anybody has clocked in since `dayStart`, also if nobody is in a room now. */
export async function hasClockedIn(db: Reader, facility: string, dayStart: number): Promise<boolean> {
  const row = await db
    .selectFrom('room_staff')
    .select('id')
    .where('facility_id', '=', facility)
    .where('from_at', '>=', dayStart)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export interface OpenPresence {
  readonly facility_id: string;
  readonly room_id: string;
  /** Milliseconds since 1970. */
  readonly from_at: number;
}

/** The room in which somebody is clocked in; at most one of all facilities. */
export async function findOpenPresence(db: Reader, staffId: string): Promise<OpenPresence | undefined> {
  return db
    .selectFrom('room_staff')
    .select(['facility_id', 'room_id', 'from_at'])
    .where('staff_id', '=', staffId)
    .where('to_at', 'is', null)
    .executeTakeFirst();
}

/** Clocks somebody in; the row that is open must be ended before. False if another request was first. */
export async function beginPresence(
  trx: Transaction<Database>,
  facility: string,
  { staffId, roomId, at }: { readonly staffId: string; readonly roomId: string; readonly at: number },
): Promise<boolean> {
  const made = await trx
    .insertInto('room_staff')
    .values({
      id: randomUUID(),
      facility_id: facility,
      staff_id: staffId,
      room_id: roomId,
      from_at: at,
      to_at: null,
    })
    .onConflict((conflict) => conflict.column('staff_id').where('to_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  return made !== undefined;
}

/** Ends the open row of a person, in one room or in any. True if there was one. `at`: milliseconds since 1970. */
export async function endPresence(
  trx: Transaction<Database>,
  staffId: string,
  { roomId, at }: { readonly roomId?: string; readonly at: number },
): Promise<boolean> {
  let open = trx
    .updateTable('room_staff')
    .set({ to_at: at })
    .where('staff_id', '=', staffId)
    .where('to_at', 'is', null);
  if (roomId !== undefined) open = open.where('room_id', '=', roomId);
  return (await open.returning('id').execute()).length > 0;
}

/** Ends all open rows of a room. `at`: milliseconds since 1970. */
export async function endPresencesIn(trx: Transaction<Database>, roomId: string, at: number): Promise<void> {
  await trx
    .updateTable('room_staff')
    .set({ to_at: at })
    .where('room_id', '=', roomId)
    .where('to_at', 'is', null)
    .execute();
}

/** Ends, as of `dayStart`, the rows that began on an earlier day. Returns how many. Milliseconds since 1970. */
export async function endPresencesBefore(
  trx: Transaction<Database>,
  facility: string,
  dayStart: number,
): Promise<number> {
  const ended = await trx
    .updateTable('room_staff')
    .set({ to_at: dayStart })
    .where('facility_id', '=', facility)
    .where('to_at', 'is', null)
    .where('from_at', '<', dayStart)
    .returning('id')
    .execute();
  return ended.length;
}

/** Deletes when a staff member was where. */
export async function deletePresencesOf(trx: Transaction<Database>, staffId: string): Promise<void> {
  await trx.deleteFrom('room_staff').where('staff_id', '=', staffId).execute();
}
