/** The week of a region, and the names of its days. A weekday is a number: 1 (Monday) to 7 (Sunday). */
import { momentFormat } from './locale.ts';

interface Week {
  readonly firstDay: number;
  readonly weekend: readonly number[];
}

/** Egypt's, for browsers without weeks of regions. */
const USUAL: Week = { firstDay: 6, weekend: [5, 6] };

/** First day and weekend of a region. `region`: ISO 3166 code. */
export function weekOf(region: string): Week {
  // Some browsers lack `getWeekInfo`, and others have a getter instead.
  const locale = new Intl.Locale(`und-${region}`) as Intl.Locale & {
    getWeekInfo?: () => Week;
    weekInfo?: Week;
  };
  return locale.getWeekInfo?.() ?? locale.weekInfo ?? USUAL;
}

/** The name of a weekday. `language` as in `i18n.language`. */
export function weekdayName(weekday: number, language: string): string {
  // 1 January 2024 was a Monday.
  const date = new Date(Date.UTC(2024, 0, weekday));
  return momentFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(date);
}
