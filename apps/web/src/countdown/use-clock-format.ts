/** Times of day and countdowns in the digits of the current language. */
import { useTranslation } from 'react-i18next';
import { type ClockFormat, clockFormatOf } from './clock-format.ts';

export function useClockFormat(): ClockFormat {
  const { i18n } = useTranslation();
  return clockFormatOf(i18n.language);
}
