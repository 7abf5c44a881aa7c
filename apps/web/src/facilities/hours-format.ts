/** Times and days of a facility in its own zone and in the form of its region, which may not be those of the page. */
import { findLocale } from '@haris/contract/locales';
import { daysBetween } from '@haris/contract/opening-hours';
import { localDay } from '@haris/contract/zone-time';
import type { Place } from '../i18n/locale.ts';

/** Within so many days a weekday alone says which day is meant. */
const WEEK_DAYS = 7;

export interface HoursFormat {
  /** Time of day: `4:00 PM`. `moment` in milliseconds since 1970. */
  time: (moment: number) => string;
  /** Local days from `now` to a moment: 0 is today. */
  daysAhead: (moment: number, now: number) => number;
  /** The day of a moment: `Sunday`, or with its date if it is a week away. */
  day: (moment: number, now: number) => string;
  /** Local dates `YYYY-MM-DD`, both inclusive: `Fri, 20 Mar – Mon, 23 Mar`. */
  dates: (from: string, to: string) => string;
}

/** `language` as in `i18n.language`. Creates formatters: keep the result. */
export function hoursFormatOf(language: string, { timeZone, region }: Place): HoursFormat {
  const locale = findLocale(language, region);
  const time = new Intl.DateTimeFormat(locale, { timeZone, timeStyle: 'short' });
  const weekday = new Intl.DateTimeFormat(locale, { timeZone, weekday: 'long' });
  const long = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  const dated = new Intl.DateTimeFormat(locale, { timeZone, ...long });
  const short = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  // A date has no time zone; any other would show the day before or after.
  const date = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...short });
  const daysAhead = (moment: number, now: number) =>
    daysBetween(localDay(now, timeZone), localDay(moment, timeZone));
  return {
    time: (moment) => time.format(moment),
    daysAhead,
    day: (moment, now) => (daysAhead(moment, now) < WEEK_DAYS ? weekday : dated).format(moment),
    dates: (from, to) =>
      from === to ? date.format(Date.parse(from)) : date.formatRange(Date.parse(from), Date.parse(to)),
  };
}
