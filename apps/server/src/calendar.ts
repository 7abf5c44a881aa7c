/** Days, weeks and months of the facility's calendar, whatever daylight saving time does to them. */
import type { ReportPeriod } from '@haris/contract/http/reports';
import { Temporal } from 'temporal-polyfill';

export interface PeriodRange {
  /** IANA name. */
  readonly timeZone: string;
  /** `YYYY-MM-DD`: the requested day, and the first and last day of its period. */
  readonly date: string;
  readonly firstDay: string;
  readonly lastDay: string;
  /** Milliseconds since 1970: the start of the first day (inclusive) and the end of the last day (exclusive). */
  readonly from: number;
  readonly to: number;
}

/** The current day in a time zone. `now` in milliseconds since 1970. */
export function dayOf(now: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** Whole months from a birth date to a day, both `YYYY-MM-DD`; negative if the date is later. */
export function ageInMonths(birthDate: string, day: string): number {
  const from = Temporal.PlainDate.from(birthDate);
  return from.until(Temporal.PlainDate.from(day), { largestUnit: 'month' }).months;
}

/** A moment in a time zone as spreadsheets read it: `2026-11-21 08:05:09`. */
export function wallClock(moment: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(moment)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' })
    .replace('T', ' ');
}

/** The days of a period, each as a period of its own, oldest first. */
export function daysOf({ firstDay, lastDay, timeZone }: PeriodRange): PeriodRange[] {
  const days: PeriodRange[] = [];
  const last = Temporal.PlainDate.from(lastDay);
  for (
    let day = Temporal.PlainDate.from(firstDay);
    Temporal.PlainDate.compare(day, last) <= 0;
    day = day.add({ days: 1 })
  )
    days.push(periodRange('day', day.toString(), 1, timeZone));
  return days;
}

/** The day, week or month that contains `date`. `weekStart`: 1 (Monday) to 7 (Sunday). */
export function periodRange(
  period: ReportPeriod,
  date: string,
  weekStart: number,
  timeZone: string,
): PeriodRange {
  const day = Temporal.PlainDate.from(date);
  let first = day;
  let after = day.add({ days: 1 });
  if (period === 'week') {
    first = day.subtract({ days: (day.dayOfWeek - weekStart + 7) % 7 });
    after = first.add({ days: 7 });
  }
  if (period === 'month') {
    first = day.with({ day: 1 });
    after = first.add({ months: 1 });
  }
  // A day starts at its first existing moment, which is 01:00 when daylight saving time skips midnight.
  const start = (at: Temporal.PlainDate) => at.toZonedDateTime(timeZone).epochMilliseconds;
  return {
    timeZone,
    date,
    firstDay: first.toString(),
    lastDay: after.subtract({ days: 1 }).toString(),
    from: start(first),
    to: start(after),
  };
}
