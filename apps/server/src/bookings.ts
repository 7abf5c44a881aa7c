/** What is booked at the facility of the current work, today and at a checkout (decision 051). */
import { bookingOf, type DayBooking, type Presence, presenceOf } from '@haris/contract/bookings';
import type { Hours } from '@haris/contract/open-now';
import { localDay, momentAt } from '@haris/contract/zone-time';
import type { Kysely, Transaction } from 'kysely';
import type { Context } from './context.ts';
import { type AbsenceView, findAbsences } from './db/absences.ts';
import { findVisits, setBookedUntil } from './db/booked-stays.ts';
import { type ChildRules, findBookingRules } from './db/bookings.ts';
import type { Database } from './db/schema.ts';
import { readSettings } from './db/settings.ts';
import type { Tx } from './db/transaction.ts';
import { currentFacility } from './facility.ts';

type Reader = Kysely<Database> | Transaction<Database>;
type Needs = Pick<Context, 'config' | 'vault' | 'clock'>;

export const NOTHING_BOOKED: ChildRules = { patterns: [], exceptions: [], arrivals: [] };

/** A day of which something is booked. */
export type BookedDayOf = Extract<DayBooking<AbsenceView>, { readonly state: 'booked' | 'absent' }>;

/** A child that is booked today, also if it is absent. */
export interface BookedToday {
  readonly childId: string;
  /** Today, at the facility. */
  readonly date: string;
  readonly day: BookedDayOf;
  readonly presence: Presence;
}

/** Opening hours, holidays and zone of the facility of the current work. */
export async function readHours(db: Reader, config: Context['config']): Promise<Hours> {
  const { openingHours, holidays, timeZone } = await readSettings(db, config);
  return { openingHours, holidays, timeZone };
}

/** The booking of some children on a day, at the facility of the current work. All children with bookings without `childIds`. */
async function findBookingsOn(
  { vault }: Pick<Context, 'vault'>,
  db: Reader,
  hours: Hours,
  day: string,
  childIds?: readonly string[],
): Promise<Map<string, DayBooking<AbsenceView>>> {
  const facility = currentFacility();
  const range = { from: day, to: day };
  const rules = await findBookingRules(db, facility, range, childIds);
  if (rules.size === 0) return new Map();
  const absences = await findAbsences(db, vault, facility, range, childIds);
  return new Map(
    [...rules].map(([id, own]) => [id, bookingOf({ ...own, absences: absences.get(id) ?? [] }, hours, day)]),
  );
}

/**
 * The children who are booked today at the facility of the current work, in the order of their ids, and whether they are here
 * now. `childIds`: only of these children.
 */
export async function findBookedToday(
  context: Needs,
  db: Reader,
  childIds?: readonly string[],
): Promise<BookedToday[]> {
  const now = context.clock.now();
  const hours = await readHours(db, context.config);
  const date = localDay(now, hours.timeZone);
  const booked = [...(await findBookingsOn(context, db, hours, date, childIds))].flatMap(([childId, day]) =>
    day.state === 'booked' || day.state === 'absent' ? [{ childId, day }] : [],
  );
  if (booked.length === 0) return [];
  const since = momentAt(date, '00:00', hours.timeZone, 'first');
  const visits = await findVisits(db, currentFacility(), since, childIds);
  return booked
    .map(({ childId, day }) => {
      const visit = visits.get(childId);
      const presence = presenceOf(
        day,
        { isInside: visit?.isInside === true, hasLeft: visit?.isInside === false },
        now,
      );
      return { childId, date, day, presence };
    })
    .sort((a, b) => (a.childId < b.childId ? -1 : 1));
}

/** When the booking of a child ends on the day of a moment, at the facility of the current work; null if nothing is booked. */
export async function findBookedEnd(
  context: Needs,
  { trx }: Tx,
  childId: string,
  at: number,
): Promise<number | null> {
  const hours = await readHours(trx, context.config);
  const date = localDay(at, hours.timeZone);
  const day = (await findBookingsOn(context, trx, hours, date, [childId])).get(childId);
  // Who was reported absent and comes all the same is fetched as booked.
  return day?.state === 'booked' || day?.state === 'absent' ? day.endsAt : null;
}

/** Records, at a checkout, when the booking of the day of the check-in ended, if the child came before that. */
export async function recordBookedEnd(
  context: Needs,
  tx: Tx,
  childId: string,
  stay: { readonly id: string; readonly entry_time: number },
): Promise<void> {
  const endsAt = await findBookedEnd(context, tx, childId, stay.entry_time);
  if (endsAt !== null && stay.entry_time < endsAt) await setBookedUntil(tx.trx, stay.id, endsAt);
}
