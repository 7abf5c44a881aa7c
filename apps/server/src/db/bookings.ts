/** Rows of weekly bookings, single booked days, and expected arrivals. Only queries, no rules. */
import {
  type BookingException,
  type BookingPattern,
  type BookingWeek,
  bookingWeekSchema,
} from '@haris/contract/bookings';
import type { Interval } from '@haris/contract/opening-hours';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** The child and facility of a row. */
export interface BookingPlace {
  readonly childId: string;
  readonly facility: string;
}

/** Who entered a row, and when (milliseconds since 1970). */
export interface Entered {
  readonly by: string;
  readonly at: number;
}

/** What is booked for a child at a facility. */
export interface ChildRules {
  readonly patterns: readonly BookingPattern[];
  readonly exceptions: readonly BookingException[];
  readonly arrivals: readonly { readonly day: string; readonly arrivesAt: number }[];
}

/** Days from which and up to which rows are read, both included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** A week that cannot be read counts as one without bookings. */
function readWeek(text: string): BookingWeek | null {
  try {
    return bookingWeekSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * What is booked at a facility, by child: all patterns, and exceptions and arrivals within the range. `childIds`: only of these
 * children. Children without any row are not in the map.
 */
export async function findBookingRules(
  db: Reader,
  facility: string,
  { from, to }: DayRange,
  childIds?: readonly string[],
): Promise<Map<string, ChildRules>> {
  if (childIds?.length === 0) return new Map();
  const patterns = db.selectFrom('booking_patterns').where('facility_id', '=', facility);
  const days = db
    .selectFrom('booking_exceptions')
    .where('facility_id', '=', facility)
    .where('day', '>=', from)
    .where('day', '<=', to);
  const arrivals = db
    .selectFrom('booking_arrivals')
    .where('facility_id', '=', facility)
    .where('day', '>=', from)
    .where('day', '<=', to);
  const rows = {
    patterns: await (childIds ? patterns.where('child_id', 'in', childIds) : patterns)
      .select(['child_id', 'valid_from', 'week', 'set_at'])
      .orderBy('valid_from')
      .execute(),
    days: await (childIds ? days.where('child_id', 'in', childIds) : days)
      .select(['child_id', 'day', 'from_time', 'to_time', 'set_at'])
      .orderBy('day')
      .execute(),
    arrivals: await (childIds ? arrivals.where('child_id', 'in', childIds) : arrivals)
      .select(['child_id', 'day', 'arrives_at'])
      .execute(),
  };
  const found = new Map<
    string,
    {
      patterns: BookingPattern[];
      exceptions: BookingException[];
      arrivals: { day: string; arrivesAt: number }[];
    }
  >();
  const of = (id: string) => {
    const known = found.get(id) ?? { patterns: [], exceptions: [], arrivals: [] };
    found.set(id, known);
    return known;
  };
  for (const row of rows.patterns) {
    const week = readWeek(row.week);
    if (week) of(row.child_id).patterns.push({ validFrom: row.valid_from, week, setAt: row.set_at });
  }
  for (const row of rows.days) {
    const times =
      row.from_time === null || row.to_time === null ? null : { from: row.from_time, to: row.to_time };
    of(row.child_id).exceptions.push({ day: row.day, times, setAt: row.set_at });
  }
  for (const row of rows.arrivals)
    of(row.child_id).arrivals.push({ day: row.day, arrivesAt: row.arrives_at });
  return found;
}

/** Whether anything is booked at a facility. */
export async function hasBookings(db: Reader, facility: string): Promise<boolean> {
  for (const table of ['booking_patterns', 'booking_exceptions'] as const) {
    const row = await db
      .selectFrom(table)
      .select('child_id')
      .where('facility_id', '=', facility)
      .limit(1)
      .executeTakeFirst();
    if (row) return true;
  }
  return false;
}

/** Adds the pattern that begins on a day, or replaces it. */
export async function keepPattern(
  trx: Transaction<Database>,
  { childId, facility }: BookingPlace,
  { validFrom, week }: { readonly validFrom: string; readonly week: BookingWeek },
  { by, at }: Entered,
): Promise<void> {
  const row = { week: JSON.stringify(week), set_by: by, set_at: at };
  await trx
    .insertInto('booking_patterns')
    .values({ child_id: childId, facility_id: facility, valid_from: validFrom, ...row })
    .onConflict((conflict) => conflict.columns(['facility_id', 'child_id', 'valid_from']).doUpdateSet(row))
    .execute();
}

/** Deletes the pattern that begins on a day; false if there is none. */
export async function dropPattern(
  trx: Transaction<Database>,
  { childId, facility }: BookingPlace,
  validFrom: string,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('booking_patterns')
    .where('facility_id', '=', facility)
    .where('child_id', '=', childId)
    .where('valid_from', '=', validFrom)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Sets the times of one day; null: the child does not come. */
export async function keepException(
  trx: Transaction<Database>,
  { childId, facility }: BookingPlace,
  { day, times }: { readonly day: string; readonly times: Interval | null },
  { by, at }: Entered,
): Promise<void> {
  const row = { from_time: times?.from ?? null, to_time: times?.to ?? null, set_by: by, set_at: at };
  await trx
    .insertInto('booking_exceptions')
    .values({ child_id: childId, facility_id: facility, day, ...row })
    .onConflict((conflict) => conflict.columns(['facility_id', 'child_id', 'day']).doUpdateSet(row))
    .execute();
}

/** Deletes the times of one day; false if there are none. */
export async function dropException(
  trx: Transaction<Database>,
  { childId, facility }: BookingPlace,
  day: string,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('booking_exceptions')
    .where('facility_id', '=', facility)
    .where('child_id', '=', childId)
    .where('day', '=', day)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Sets when the child comes on a day. `arrivesAt` in milliseconds since 1970. */
export async function keepArrival(
  trx: Transaction<Database>,
  { childId, facility }: BookingPlace,
  { day, arrivesAt }: { readonly day: string; readonly arrivesAt: number },
  { by, at }: Entered,
): Promise<void> {
  const row = { arrives_at: arrivesAt, announced_by: by, announced_at: at };
  await trx
    .insertInto('booking_arrivals')
    .values({ child_id: childId, facility_id: facility, day, ...row })
    .onConflict((conflict) => conflict.columns(['facility_id', 'child_id', 'day']).doUpdateSet(row))
    .execute();
}

/**
 * Deletes exceptions, arrivals and absences of days before `day`, and patterns that a later one had replaced by then. A later
 * pattern that begins on `day` or earlier is in force on it.
 */
export async function deleteBookingsBefore(db: Kysely<Database>, day: string): Promise<void> {
  await db.deleteFrom('booking_exceptions').where('day', '<', day).execute();
  await db.deleteFrom('booking_arrivals').where('day', '<', day).execute();
  await db.deleteFrom('absences').where('to_day', '<', day).execute();
  await db
    .deleteFrom('booking_patterns')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('booking_patterns as later')
          .select('later.child_id')
          .whereRef('later.facility_id', '=', 'booking_patterns.facility_id')
          .whereRef('later.child_id', '=', 'booking_patterns.child_id')
          .whereRef('later.valid_from', '>', 'booking_patterns.valid_from')
          .where('later.valid_from', '<=', day),
      ),
    )
    .execute();
}
