/** Times of day, countdowns and counts in the digits of a language. Knows no React. */
import { localeOf } from '../i18n/locale.ts';
import { formatClock } from './remaining.ts';

export interface ClockFormat {
  /** Time of day on this device, of ISO 8601 or epoch milliseconds: `10:15 AM`. */
  timeOfDay: (moment: string | number) => string;
  /** `MM:SS` of whole seconds. */
  countdown: (seconds: number) => string;
  /** A count. */
  count: (value: number) => string;
}

/** One per locale: making a formatter costs more than what it formats, and two hundred rows want one. */
const formats = new Map<string, ClockFormat>();

/** Each part is made when it is wanted first: a page that opens has nothing to format yet. */
function createClockFormat(locale: string): ClockFormat {
  let time: Intl.DateTimeFormat | undefined;
  let twoDigits: Intl.NumberFormat | undefined;
  let whole: Intl.NumberFormat | undefined;
  return {
    timeOfDay(moment) {
      time ??= new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
      return time.format(new Date(moment));
    },
    countdown(seconds) {
      twoDigits ??= new Intl.NumberFormat(locale, { minimumIntegerDigits: 2, useGrouping: false });
      return formatClock(seconds, twoDigits.format);
    },
    count(value) {
      whole ??= new Intl.NumberFormat(locale);
      return whole.format(value);
    },
  };
}

/** The one of a language, as `i18n.language` names it. */
export function clockFormatOf(language: string): ClockFormat {
  const locale = localeOf(language);
  const format = formats.get(locale) ?? createClockFormat(locale);
  formats.set(locale, format);
  return format;
}
