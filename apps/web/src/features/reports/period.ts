/** Days, weeks and months as one turns their pages. Days are `YYYY-MM-DD`, of the facility's calendar; no time zone is needed. */
import type { ReportPeriod } from '@haris/contract/http/reports';
import { localeOf } from '../../i18n/locale.ts';

const DAY_MS = 86_400_000;

/** Midnight UTC of a day, which stands for the day itself. */
export function dateOf(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

/** A day of the period before (-1) or after (1): days and weeks keep their distance, months begin with their first day. */
export function turnPage(period: ReportPeriod, day: string, by: -1 | 1): string {
  const date = dateOf(day);
  if (period === 'month') date.setUTCMonth(date.getUTCMonth() + by, 1);
  else date.setTime(date.getTime() + by * (period === 'week' ? 7 : 1) * DAY_MS);
  return date.toISOString().slice(0, 10);
}

/** `Saturday, 21 November 2026`, `14 – 20 November 2026`, `November 2026`. */
export function periodTitle(
  period: ReportPeriod,
  { firstDay, lastDay }: { firstDay: string; lastDay: string },
  language: string,
): string {
  const locale = localeOf(language);
  if (period === 'month')
    return new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
      dateOf(firstDay),
    );
  if (period === 'day')
    return new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' }).format(dateOf(firstDay));
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).formatRange(
    dateOf(firstDay),
    dateOf(lastDay),
  );
}

/** The weekday that weeks begin with where these languages are spoken: 1 Monday to 7 Sunday. */
export function firstWeekday(language: string, preferred: readonly string[]): number {
  const tag = preferred.find((one) => one.toLowerCase().startsWith(language)) ?? localeOf(language);
  // Not in every browser, and a getter in some.
  const locale = new Intl.Locale(tag) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
}

/** The name of a weekday, 1 Monday to 7 Sunday. */
export function weekdayName(weekday: number, language: string): string {
  // 1 January 2024 was a Monday.
  const date = new Date(Date.UTC(2024, 0, weekday));
  return new Intl.DateTimeFormat(localeOf(language), { weekday: 'long', timeZone: 'UTC' }).format(date);
}

/** Whole minutes as hours and minutes, `1:05`, in the digits of the language. */
export function hoursAndMinutes(minutes: number, language: string): string {
  const locale = localeOf(language);
  const hours = new Intl.NumberFormat(locale, { useGrouping: false }).format(Math.floor(minutes / 60));
  const rest = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2 }).format(minutes % 60);
  return `${hours}:${rest}`;
}

/** The time of day of a moment in a time zone, with its day where that is another than `day`. */
export function timeOfStay(moment: string, day: string, timeZone: string, language: string): string {
  const locale = localeOf(language);
  const at = new Date(moment);
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }).format(at);
  // The Swedish way of writing a day is the ISO one.
  if (new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone }).format(at) === day) return time;
  const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone }).format(at);
  return `${date} ${time}`;
}
