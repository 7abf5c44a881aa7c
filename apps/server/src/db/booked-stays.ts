/** What bookings need of stays: who was here on a day, and until when a stay was booked. Only queries, no rules. */
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';
import { isOpenStay } from './stays.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Records until when a stay that has ended was booked, in milliseconds since 1970. */
export async function setBookedUntil(
  trx: Transaction<Database>,
  stayId: string,
  bookedUntil: number,
): Promise<void> {
  await trx.updateTable('stays').set({ booked_until: bookedUntil }).where('id', '=', stayId).execute();
}

/**
 * The children who are inside at a facility or were there since a moment, with whether they are inside. Void stays do not
 * count. `childIds`: only of these children.
 */
export async function findVisits(
  db: Reader,
  facility: string,
  since: number,
  childIds?: readonly string[],
): Promise<Map<string, { readonly isInside: boolean }>> {
  if (childIds?.length === 0) return new Map();
  const stays = db
    .selectFrom('stays')
    .select(['stays.child_id', 'stays.exit_time'])
    .where('stays.facility_id', '=', facility)
    .where('stays.voided_at', 'is', null)
    .where((eb) => eb.or([isOpenStay, eb('stays.entry_time', '>=', since)]));
  const rows = await (childIds ? stays.where('stays.child_id', 'in', childIds) : stays).execute();
  const visits = new Map<string, { isInside: boolean }>();
  for (const { child_id, exit_time } of rows)
    visits.set(child_id, { isInside: exit_time === null || visits.get(child_id)?.isInside === true });
  return visits;
}
