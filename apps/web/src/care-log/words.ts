/** What an entry of the care log says, in the reader's language. */
import type { CareEntryContent } from '@haris/contract/care-log';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

export interface EntryWords {
  readonly title: string;
  /** Further facts, each with its label; people's own words. */
  readonly said: readonly { readonly label: string; readonly text: string }[];
}

export function useEntryWords(): (content: CareEntryContent | null) => EntryWords {
  const { t } = useTranslation('care-log');
  return useCallback(
    (content) => {
      const said = (facts: Readonly<Record<string, string>>) =>
        Object.entries(facts).flatMap(([label, text]) => (text === '' ? [] : [{ label, text }]));
      if (content === null) return { title: t('unreadable'), said: [] };
      switch (content.kind) {
        case 'accident':
          return {
            title: t('kind.accident'),
            said: said({
              [t('field.what')]: content.what,
              [t('field.where')]: content.where,
              [t('field.firstAid')]: content.firstAid,
              [t('field.seenBy')]: content.seenBy === '' ? t('nobody') : content.seenBy,
            }),
          };
        case 'medicine':
          return {
            title: t('medicineGiven', { name: content.name }),
            said: said({
              [t('field.dose')]: content.dose,
              [t('field.givenBy')]: content.givenBy,
              [t('field.witnessedBy')]: content.witnessedBy,
            }),
          };
        case 'sleep_start':
          return { title: t('asleepEvery', { count: content.everyMinutes }), said: [] };
        case 'sleep_check':
        case 'sleep_end':
          return { title: t(`kind.${content.kind}`), said: said({ [t('field.note')]: content.note }) };
        case 'nappy':
          return { title: t(`nappy.${content.nappy}`), said: said({ [t('field.note')]: content.note }) };
        case 'meal':
          return { title: t(`eaten.${content.eaten}`), said: said({ [t('field.note')]: content.note }) };
        case 'withdrawn':
          return { title: t('kind.withdrawn'), said: said({ [t('field.reason')]: content.reason }) };
      }
    },
    [t],
  );
}
