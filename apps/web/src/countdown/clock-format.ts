/** Formats times of day, countdowns and counts in the digits of a language. */
import { localDay } from '@haris/contract/zone-time';
import { facilityTimeZone, localeOf, momentFormat } from '../i18n/locale.ts';
import { formatClock } from './remaining.ts';

export interface ClockFormat {
  /** Time of day in the facility's zone, from ISO 8601 or epoch milliseconds: `10:15 AM`. */
  timeOfDay: (moment: string | number) => string;
  /** The end of a stay, with the weekday if that is another day than the one of `than`: `Sat 10:15 AM`. Epoch milliseconds. */
  endOfStay: (end: number, than: number) => string;
  /** `MM:SS` from whole seconds. */
  countdown: (seconds: number) => string;
  /** A count in the language's digits. */
  count: (value: number) => string;
}

/**
 * Whether a stay ends on another local day of the facility than that of an earlier moment. Midnight is the end of the day before
 * it. Epoch milliseconds.
 */
export function endsOnOtherDay(end: number, than: number): boolean {
  const zone = facilityTimeZone();
  return end > than && localDay(end - 1, zone) !== localDay(than, zone);
}

/** Cached by language: a formatter is expensive to create, and two hundred rows need one. */
const formats = new Map<string, ClockFormat>();

/** Creates its formatters on first use, because a page needs none while it opens. */
function createClockFormat(language: string): ClockFormat {
  let twoDigits: Intl.NumberFormat | undefined;
  let whole: Intl.NumberFormat | undefined;
  return {
    timeOfDay(moment) {
      return momentFormat(language, { timeStyle: 'short' }).format(new Date(moment));
    },
    endOfStay(end, than) {
      const options = { weekday: 'short', hour: 'numeric', minute: '2-digit' } as const;
      return momentFormat(language, endsOnOtherDay(end, than) ? options : { timeStyle: 'short' }).format(end);
    },
    countdown(seconds) {
      twoDigits ??= new Intl.NumberFormat(localeOf(language), {
        minimumIntegerDigits: 2,
        useGrouping: false,
      });
      return formatClock(seconds, twoDigits.format);
    },
    count(value) {
      whole ??= new Intl.NumberFormat(localeOf(language));
      return whole.format(value);
    },
  };
}

/** The format of a language, given as in `i18n.language`. */
export function clockFormatOf(language: string): ClockFormat {
  const format = formats.get(language) ?? createClockFormat(language);
  formats.set(language, format);
  return format;
}
