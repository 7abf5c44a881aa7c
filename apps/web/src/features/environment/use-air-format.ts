/** Formats air values in the current language. */
import type { Quantity } from '@haris/contract/live/readings';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../../i18n/locale.ts';

/** Placeholder for a value that was never received (spec §3). */
const NOT_RECEIVED = '--';

type Formats = Readonly<Record<Quantity, (value: number) => string>>;
const formats = new Map<string, Formats>();

function createFormats(locale: string): Formats {
  const temperature = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'celsius',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const humidity = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  return {
    temperature: (value) => temperature.format(value),
    humidity: (value) => humidity.format(value / 100),
    mq2: (value) => plain.format(value),
  };
}

/** Returns a function that formats a value; it returns `--` for null. */
export function useAirFormat(): (quantity: Quantity, value: number | null) => string {
  const { i18n } = useTranslation();
  const locale = localeOf(i18n.language);
  const format = formats.get(locale) ?? createFormats(locale);
  formats.set(locale, format);
  return (quantity, value) => (value === null ? NOT_RECEIVED : format[quantity](value));
}
