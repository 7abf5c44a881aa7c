/**
 * The booking of a child for a day, from weekly pattern, exceptions, absences and holidays, and whether the child is here
 * (decision 051). Pure, and shared by server and screens. Days are local dates `YYYY-MM-DD` of the facility, moments are
 * milliseconds since 1970.
 */
import * as z from 'zod/mini';
import { EXPECTED_LATE_MS, EXPECTED_UNANSWERED_MS } from './constants.ts';
import { type Hours, holidayOn } from './open-now.ts';
import { type Holiday, type Interval, intervalWith, WEEKDAYS, type Weekday } from './opening-hours.ts';
import { localDay, momentAt, nextDay } from './zone-time.ts';

/** Booked times of a day, local. */
export const bookedTimesSchema = intervalWith('The end must be after the start');
const bookedTimes = z.nullable(bookedTimesSchema);

/** Booked times by weekday, in the facility's local time; null: not booked on that day. */
export const bookingWeekSchema = z
  .object(
    {
      sunday: bookedTimes,
      monday: bookedTimes,
      tuesday: bookedTimes,
      wednesday: bookedTimes,
      thursday: bookedTimes,
      friday: bookedTimes,
      saturday: bookedTimes,
    } satisfies Record<Weekday, unknown>,
    'A week of bookings names each weekday',
  )
  .register(z.globalRegistry, { id: 'BookingWeek' });
export type BookingWeek = z.output<typeof bookingWeekSchema>;

/** Why a child does not come. */
export const ABSENCE_REASONS = ['illness', 'holiday', 'other'] as const;
export type AbsenceReason = (typeof ABSENCE_REASONS)[number];

/** A week that applies from a day until a later pattern does. */
export interface BookingPattern {
  readonly validFrom: string;
  readonly week: BookingWeek;
  /** When it was entered. */
  readonly setAt: number;
}

/** Other times of one day; null: the child does not come. */
export interface BookingException {
  readonly day: string;
  readonly times: Interval | null;
  readonly setAt: number;
}

/** Days on which a child does not come, both inclusive. */
export interface AbsentDays {
  readonly from: string;
  readonly to: string;
}

/** Everything that is known of a child's bookings at a facility. The order of the lists does not matter, except of absences. */
export interface BookingRules<A extends AbsentDays = AbsentDays> {
  readonly patterns: readonly BookingPattern[];
  readonly exceptions: readonly BookingException[];
  /** Of two absences on a day, the first counts. */
  readonly absences: readonly A[];
  /** "Coming later": when the family says that the child comes on a day. */
  readonly arrivals: readonly { readonly day: string; readonly arrivesAt: number }[];
}

/**
 * The booking of a day. `none`: nothing is booked; `closed`: the facility is closed, whatever is booked (`holiday` is null on a
 * weekday without opening hours); `absent`: booked, but the child does not come.
 */
export type DayBooking<A extends AbsentDays = AbsentDays> =
  | { readonly state: 'none' }
  | { readonly state: 'closed'; readonly holiday: Holiday | null }
  | (BookedTimes & { readonly state: 'absent'; readonly absence: A })
  | (BookedTimes & { readonly state: 'booked' });

interface BookedTimes {
  readonly times: Interval;
  readonly isException: boolean;
  readonly startsAt: number;
  /** After `startsAt`. */
  readonly endsAt: number;
  /** What the family said; null: nothing. */
  readonly arrivesAt: number | null;
  /** From when on the child is waited for: the latest of start, arrival and the moment at which the booking was entered. */
  readonly expectedAt: number;
}

/** The weekday of a local date. */
export function weekdayOf(day: string): Weekday {
  return WEEKDAYS[new Date(day).getUTCDay()] ?? 'sunday';
}

/** The pattern that applies on a day: the one with the latest first day that is not after it. */
export function patternOn<P extends { readonly validFrom: string }>(
  patterns: readonly P[],
  day: string,
): P | undefined {
  let found: P | undefined;
  for (const pattern of patterns)
    if (pattern.validFrom <= day && (found === undefined || pattern.validFrom > found.validFrom))
      found = pattern;
  return found;
}

/** The times of a day without regard to holidays and absences, and when somebody entered them. */
export function timesOn(
  { patterns, exceptions }: Pick<BookingRules, 'patterns' | 'exceptions'>,
  day: string,
): { readonly times: Interval | null; readonly setAt: number; readonly isException: boolean } {
  const exception = exceptions.find((one) => one.day === day);
  if (exception) return { times: exception.times, setAt: exception.setAt, isException: true };
  const pattern = patternOn(patterns, day);
  return { times: pattern?.week[weekdayOf(day)] ?? null, setAt: pattern?.setAt ?? 0, isException: false };
}

/** Whether the facility is closed for a whole day. Without opening hours only holidays close it. */
function isClosedOn({ openingHours, holidays }: Hours, day: string): boolean {
  return (
    holidayOn(holidays, day) !== undefined ||
    (openingHours !== null && openingHours[weekdayOf(day)].length === 0)
  );
}

/** The booking of a local day. A time that clocks show twice counts from its first to its last. Throws RangeError for an unknown time zone. */
export function bookingOf<A extends AbsentDays>(
  rules: BookingRules<A>,
  hours: Hours,
  day: string,
): DayBooking<A> {
  const { times, setAt, isException } = timesOn(rules, day);
  if (times === null) return { state: 'none' };
  if (isClosedOn(hours, day)) return { state: 'closed', holiday: holidayOn(hours.holidays, day) ?? null };
  const { timeZone } = hours;
  const startsAt = momentAt(day, times.from, timeZone, 'first');
  const endsAt =
    times.to === '24:00'
      ? momentAt(nextDay(day), '00:00', timeZone, 'first')
      : momentAt(day, times.to, timeZone, 'last');
  // The clocks skip all of it.
  if (endsAt <= startsAt) return { state: 'none' };
  const arrivesAt = rules.arrivals.find((one) => one.day === day)?.arrivesAt ?? null;
  const expectedAt = Math.max(startsAt, setAt, arrivesAt ?? 0);
  const booked = { times, isException, startsAt, endsAt, arrivesAt, expectedAt };
  const absence = rules.absences.find(({ from, to }) => from <= day && day <= to);
  return absence ? { ...booked, state: 'absent', absence } : { ...booked, state: 'booked' };
}

/**
 * Whether a child is here on a day of its booking. `late`: the family is asked; `missing`: it has not answered; `over`: the
 * booked time has ended without the child.
 */
export const PRESENCES = [
  'none',
  'closed',
  'absent',
  'expected',
  'late',
  'missing',
  'here',
  'left',
  'over',
] as const;
export type Presence = (typeof PRESENCES)[number];

/** The visits of a day. */
export interface VisitsOfDay {
  readonly isInside: boolean;
  /** Whether the child was here on that day and has left. */
  readonly hasLeft: boolean;
}

/** Whether the child is here at a moment. Who is inside is here, whatever was booked or reported. */
export function presenceOf(booking: DayBooking, { isInside, hasLeft }: VisitsOfDay, now: number): Presence {
  if (isInside) return 'here';
  if (hasLeft) return 'left';
  if (booking.state !== 'booked') return booking.state;
  if (now >= booking.endsAt) return 'over';
  if (now < booking.expectedAt + EXPECTED_LATE_MS) return 'expected';
  return now < booking.expectedAt + EXPECTED_LATE_MS + EXPECTED_UNANSWERED_MS ? 'late' : 'missing';
}

/** Whether somebody should ask where the child is. */
export function isMissed(presence: Presence): boolean {
  return presence === 'late' || presence === 'missing';
}

/** The local days from a moment on, `count` of them. */
export function daysFrom(now: number, timeZone: string, count: number): string[] {
  const days = [localDay(now, timeZone)];
  while (days.length < count) days.push(nextDay(days.at(-1) ?? ''));
  return days;
}

/**
 * Whole minutes by which a child was fetched late, rounded down. `bookedUntil`: when the booking ended, or null; then the
 * due end of the stay counts.
 */
export function minutesLate(exitAt: number, dueAt: number, bookedUntil: number | null): number {
  return Math.max(0, Math.floor((exitAt - (bookedUntil ?? dueAt)) / 60_000));
}
