/** What an incident is, in a title and a sentence, in the current language. */
import type { Incident } from '@haris/contract/http/incidents';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../../i18n/locale.ts';
import { useMeasure } from './use-measure.ts';

const GIB = 1024 ** 3;

export interface IncidentWords {
  readonly title: string;
  readonly text: string;
}

/** Answers the words of an incident. Names and areas stand in them as people typed them. */
export function useIncidentWords(): (incident: Incident) => IncidentWords {
  const { t, i18n } = useTranslation('incidents');
  const measure = useMeasure();
  return useCallback(
    ({ kind, area, subject, value, limit }) => {
      const title = t(`kind.${kind}`);
      const name = subject?.name ?? t('nameless');
      const place = area ?? t('wholePlace');
      const figure = (number: number | null) => {
        if (number === null) return '--';
        if (kind === 'temperature' || kind === 'air') return measure(kind, number);
        if (kind !== 'disk') return new Intl.NumberFormat(localeOf(i18n.language)).format(number);
        return new Intl.NumberFormat(localeOf(i18n.language), {
          style: 'unit',
          unit: 'gigabyte',
          maximumFractionDigits: 1,
        }).format(number / GIB);
      };
      const words = { name, area: place, value: figure(value), limit: figure(limit) };
      return { title, text: t(`about.${kind}`, words) };
    },
    [t, i18n.language, measure],
  );
}
