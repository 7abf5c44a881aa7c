/** A local day of the care log in words. */
import { useTranslation } from 'react-i18next';
import { momentFormat } from '../i18n/locale.ts';

/** Formats `YYYY-MM-DD`. */
export function useDayWords(): (day: string) => string {
  const { i18n } = useTranslation();
  const format = momentFormat(i18n.language, {
    ...{ timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  });
  return (day) => format.format(Date.parse(`${day}T00:00:00Z`));
}
