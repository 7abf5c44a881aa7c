/**
 * Whether a facility is open, until when, and when it opens next, from its opening hours, holidays and time zone. Pure,
 * and shared by server and screens. Moments are milliseconds since 1970; days are local dates `YYYY-MM-DD`.
 */
import { type Holiday, type OpeningHours, WEEKDAYS } from './opening-hours.ts';
import { localDay, momentAt, nextDay } from './zone-time.ts';

export interface Hours {
  /** Null: not entered. */
  readonly openingHours: OpeningHours | null;
  readonly holidays: readonly Holiday[];
  /** IANA name. */
  readonly timeZone: string;
}

export type OpenState =
  /** `until` is null if it does not close within `OPEN_DAYS`. */
  | { readonly isOpen: true; readonly until: number | null }
  /** `holiday` is today's; `next` is null if no opening is known within `NEXT_DAYS`. */
  | { readonly isOpen: false; readonly next: number | null; readonly holiday: Holiday | null };

/** A facility that does not close for so many days is open around the clock. */
const OPEN_DAYS = 14;
/** How far ahead the next opening is searched: beyond the longest holiday. */
const NEXT_DAYS = 400;

interface Opening {
  readonly from: number;
  readonly to: number;
}

/** The holiday of a day; undefined if it is none. */
export function holidayOn(holidays: readonly Holiday[], day: string): Holiday | undefined {
  return holidays.find(({ from, to }) => from <= day && day <= to);
}

/** Holidays that are not over and begin within so many days. */
export function upcomingHolidays(holidays: readonly Holiday[], today: string, days: number): Holiday[] {
  const last = Array.from({ length: days }).reduce<string>((day) => nextDay(day), today);
  return holidays.filter(({ from, to }) => to >= today && from <= last);
}

/** Openings of a day, the earliest first; none on a holiday. A time that clocks show twice counts from its first to its last. */
function openingsOn({ openingHours, holidays, timeZone }: Hours, day: string): Opening[] {
  if (openingHours === null || holidayOn(holidays, day)) return [];
  const weekday = WEEKDAYS[new Date(day).getUTCDay()] ?? 'sunday';
  return openingHours[weekday]
    .map(({ from, to }) => ({
      from: momentAt(day, from, timeZone, 'first'),
      to:
        to === '24:00'
          ? momentAt(nextDay(day), '00:00', timeZone, 'first')
          : momentAt(day, to, timeZone, 'last'),
    }))
    .filter(({ from, to }) => to > from);
}

/** The state at a moment; null if nothing is known: no opening hours, and no holiday today. */
export function openStateAt(hours: Hours, now: number): OpenState | null {
  const today = localDay(now, hours.timeZone);
  const holiday = holidayOn(hours.holidays, today) ?? null;
  if (hours.openingHours === null) return holiday === null ? null : { isOpen: false, next: null, holiday };
  const running = openingsOn(hours, today).find(({ from, to }) => from <= now && now < to);
  if (running) return { isOpen: true, until: closingAfter(hours, today, running.to) };
  return { isOpen: false, next: nextOpening(hours, today, now), holiday };
}

/** When it closes: the end of the last opening that follows without a pause, also over midnight. */
function closingAfter(hours: Hours, today: string, firstEnd: number): number | null {
  let end = firstEnd;
  let day = today;
  for (let count = 0; count < OPEN_DAYS; count++, day = nextDay(day)) {
    for (const { from, to } of openingsOn(hours, day)) if (from <= end && end < to) end = to;
    // It closes before this day is over.
    if (end < momentAt(nextDay(day), '00:00', hours.timeZone, 'first')) return end;
  }
  return null;
}

function nextOpening(hours: Hours, today: string, now: number): number | null {
  let day = today;
  for (let count = 0; count <= NEXT_DAYS; count++, day = nextDay(day)) {
    const opening = openingsOn(hours, day).find(({ from }) => from > now);
    if (opening) return opening.from;
  }
  return null;
}
