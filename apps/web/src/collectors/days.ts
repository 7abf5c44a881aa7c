/** The days on which a collector may come: as a family chooses them, and in words. A day is `YYYY-MM-DD`. */
import type { Collector } from '@haris/contract/http/collectors';
import { localDay } from '@haris/contract/zone-time';
import { useTranslation } from 'react-i18next';
import { serverNow } from '../calls/server-clock.ts';
import { facilityRegion, facilityTimeZone, localeOf, momentFormat } from '../i18n/locale.ts';
import { weekdayName, weekOf } from '../i18n/week.ts';

const DAYS_OF_WEEK = 7;

type Days = Pick<Collector, 'from' | 'until' | 'weekdays'>;

/** Today at the facility. */
export function today(): string {
  return localDay(serverNow(), facilityTimeZone());
}

/** `today`: on this day only; `some`: on some days of the week or between dates. */
export type When = 'always' | 'today' | 'some';

export function whenOf({ from, until, weekdays }: Days, day: string): When {
  if (from === null && until === null && weekdays.length === 0) return 'always';
  return from === day && until === day && weekdays.length === 0 ? 'today' : 'some';
}

/** Whether the last day is over. */
export function isPast({ until }: Days, day: string): boolean {
  return until !== null && until < day;
}

/** The weekdays of the contract (0 is Sunday) in the order of the facility's region. */
export function weekdaysInOrder(): number[] {
  const { firstDay } = weekOf(facilityRegion());
  return Array.from({ length: DAYS_OF_WEEK }, (_, index) => (firstDay + index) % DAYS_OF_WEEK);
}

/** The name of a weekday of the contract. */
export function nameOfWeekday(weekday: number, language: string): string {
  return weekdayName(weekday === 0 ? DAYS_OF_WEEK : weekday, language);
}

/** Returns a function that writes a day as people do: `31 May 2026`. */
export function useDayFormat(): (day: string) => string {
  const { i18n } = useTranslation();
  // A day has no time zone; any other would show the day before or after.
  const format = momentFormat(i18n.language, { dateStyle: 'medium', timeZone: 'UTC' });
  return (day) => format.format(Date.parse(day));
}

/** Returns a function that describes the days: `Sunday and Tuesday only · From 1 Jun 2026`. */
export function useDaysText(): (days: Days) => string {
  const { t, i18n } = useTranslation('collectors');
  const dayText = useDayFormat();
  const spanOf = ({ from, until }: Days) => {
    if (from !== null && from === until)
      return from === today() ? t('days.today') : t('days.day', { date: dayText(from) });
    if (from !== null && until !== null)
      return t('days.between', { from: dayText(from), until: dayText(until) });
    if (from !== null) return t('days.from', { date: dayText(from) });
    return until === null ? null : t('days.until', { date: dayText(until) });
  };
  return (days) => {
    const names = weekdaysInOrder()
      .filter((weekday) => days.weekdays.includes(weekday))
      .map((weekday) => nameOfWeekday(weekday, i18n.language));
    const list = new Intl.ListFormat(localeOf(i18n.language)).format(names);
    const parts = [names.length === 0 ? null : t('days.on', { days: list }), spanOf(days)];
    const said = parts.filter((part) => part !== null);
    return said.length === 0 ? t('days.always') : said.join(' · ');
  };
}
