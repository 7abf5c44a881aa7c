/** Arithmetic of days, weeks and months. Days are `YYYY-MM-DD` of the facility's calendar; no time zone is needed. */
import type { ReportPeriod } from '@haris/contract/http/reports';
import { localeOf, momentFormat } from '../../i18n/locale.ts';

const DAY_MS = 86_400_000;

/** Midnight UTC of a day, as a `Date`. */
export function dateOf(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

/** A day in the previous (-1) or next (1) period: days and weeks move by their length, months to their first day. */
export function turnPage(period: ReportPeriod, day: string, by: -1 | 1): string {
  const date = dateOf(day);
  if (period === 'month') date.setUTCMonth(date.getUTCMonth() + by, 1);
  else date.setTime(date.getTime() + by * (period === 'week' ? 7 : 1) * DAY_MS);
  return date.toISOString().slice(0, 10);
}

/** Title of a period: `Saturday, 21 November 2026`, `14 – 20 November 2026`, `November 2026`. */
export function periodTitle(
  period: ReportPeriod,
  { firstDay, lastDay }: { firstDay: string; lastDay: string },
  language: string,
): string {
  if (period === 'month')
    return momentFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
      dateOf(firstDay),
    );
  if (period === 'day')
    return momentFormat(language, { dateStyle: 'full', timeZone: 'UTC' }).format(dateOf(firstDay));
  return momentFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).formatRange(
    dateOf(firstDay),
    dateOf(lastDay),
  );
}

/** Formats whole minutes as hours and minutes, `1:05`, in the digits of the language. */
export function hoursAndMinutes(minutes: number, language: string): string {
  const locale = localeOf(language);
  const hours = new Intl.NumberFormat(locale, { useGrouping: false }).format(Math.floor(minutes / 60));
  const rest = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2 }).format(minutes % 60);
  return `${hours}:${rest}`;
}

/** Time of day in a time zone, with the date if it differs from `day`. */
export function timeOfStay(moment: string, day: string, timeZone: string, language: string): string {
  const at = new Date(moment);
  const time = momentFormat(language, { timeStyle: 'short', timeZone }).format(at);
  // Swedish dates have the ISO format, so they compare with `day`.
  if (new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone }).format(at) === day) return time;
  const date = momentFormat(language, { day: 'numeric', month: 'short', timeZone }).format(at);
  return `${date} ${time}`;
}
