/** Days, weeks and months of the facility's calendar, whatever daylight saving time does to them. */
import type { ReportPeriod } from '@haris/contract/http/reports';
import { Temporal } from 'temporal-polyfill';

export interface PeriodRange {
  /** IANA name. */
  readonly timeZone: string;
  /** `YYYY-MM-DD`; the day of the request, and both ends of its period. */
  readonly date: string;
  readonly firstDay: string;
  readonly lastDay: string;
  /** Milliseconds since 1970: from the first moment of the first day, before the first one after the last day. */
  readonly from: number;
  readonly to: number;
}

/** The day that it is now in a time zone. `now` in milliseconds since 1970. */
export function dayOf(now: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** `2026-11-21 08:05:09` in a time zone, as spreadsheets read a date with a time. */
export function wallClock(moment: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(moment)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' })
    .replace('T', ' ');
}

/** The day, week or month that `date` lies in. `weekStart` 1 Monday to 7 Sunday. */
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
  // A day begins with its first moment: at 01:00 where midnight is skipped.
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
