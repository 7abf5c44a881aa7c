/** Formats the values of an incident in the current language. */
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../../i18n/locale.ts';
import type { AirKind } from './air-check.ts';

const OPTIONS: Readonly<Record<AirKind, Intl.NumberFormatOptions>> = {
  temperature: { style: 'unit', unit: 'celsius', maximumFractionDigits: 1 },
  air: { maximumFractionDigits: 0 },
};

/** Returns a function that formats a value. */
export function useMeasure(): (kind: AirKind, value: number) => string {
  const { i18n } = useTranslation();
  const locale = localeOf(i18n.language);
  return useCallback((kind, value) => new Intl.NumberFormat(locale, OPTIONS[kind]).format(value), [locale]);
}
