/** Staff on roll calls: copied from the sessions when an evacuation begins, because sessions may end while it runs. */
import type { Kysely, Transaction } from 'kysely';
import type { Database, StaffRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;
type Named = Pick<StaffRow, 'id' | 'name'>;

/** Staff with a session that was used after `since` (milliseconds since 1970), by name. */
export async function findStaffSeenSince(
  db: Reader,
  { since, now }: { readonly since: number; readonly now: number },
): Promise<Named[]> {
  return db
    .selectFrom('sessions')
    .innerJoin('staff', 'staff.id', 'sessions.account_id')
    .select(['staff.id', 'staff.name'])
    .distinct()
    .where('sessions.kind', '=', 'admin')
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_seen_at', '>', since)
    .orderBy('staff.name')
    .orderBy('staff.id')
    .execute();
}

/** Adds staff to the roll call; those on it already stay. */
export async function addEvacuationStaff(
  trx: Transaction<Database>,
  incidentId: string,
  staffIds: readonly string[],
): Promise<void> {
  if (staffIds.length === 0) return;
  await trx
    .insertInto('evacuation_staff')
    .values(staffIds.map((staff_id) => ({ incident_id: incidentId, staff_id })))
    .onConflict((conflict) => conflict.columns(['incident_id', 'staff_id']).doNothing())
    .execute();
}

/** The staff on the roll call, by name. */
export async function findEvacuationStaff(db: Reader, incidentId: string): Promise<Named[]> {
  return db
    .selectFrom('evacuation_staff')
    .innerJoin('staff', 'staff.id', 'evacuation_staff.staff_id')
    .select(['staff.id', 'staff.name'])
    .where('evacuation_staff.incident_id', '=', incidentId)
    .orderBy('staff.name')
    .orderBy('staff.id')
    .execute();
}
