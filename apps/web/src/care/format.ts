/** Numbers and days of a care card in the page's language. */
import { validityOf } from '@haris/contract/care-card';
import { localDay } from '@haris/contract/zone-time';
import { useTranslation } from 'react-i18next';
import { serverNow } from '../calls/server-clock.ts';
import { useClockFormat } from '../countdown/use-clock-format.ts';
import { facilityTimeZone, momentFormat } from '../i18n/locale.ts';

export function useFormatCount(): (count: number) => string {
  return useClockFormat().count;
}

/** Formats days, and says which of them are past or near, as of now. */
export function useDays() {
  const { i18n } = useTranslation();
  // A day has no time zone; any other would show the day before or after.
  const format = momentFormat(i18n.language, { dateStyle: 'medium', timeZone: 'UTC' });
  const today = localDay(serverNow(), facilityTimeZone());
  return {
    dayOf: (day: string) => format.format(Date.parse(day)),
    stateOf: (day: string | null) => validityOf(day, today),
  };
}
