/** Formats a past visit: "Fri 20 Nov, 9:05 – 11:00". */
import type { Child } from '@haris/contract/objects';
import { clockFormatOf } from '../../countdown/clock-format.ts';
import { momentFormat } from '../../i18n/locale.ts';

type Visit = NonNullable<Child['lastVisit']>;

/** `language` as in `i18n.language`. */
export function formatVisit({ entryTime, exitTime }: Visit, language: string): string {
  const day = momentFormat(language, { weekday: 'short', day: 'numeric', month: 'short' });
  const { timeOfDay } = clockFormatOf(language);
  return `${day.format(new Date(entryTime))}, ${timeOfDay(entryTime)} – ${timeOfDay(exitTime)}`;
}
