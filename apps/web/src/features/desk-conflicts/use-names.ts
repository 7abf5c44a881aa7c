/** How people, tablets and times of a conflict are named, also those that are gone. */
import type { DeskConflict } from '@haris/contract/http/desk-conflicts';
import { useTranslation } from 'react-i18next';
import { momentFormat } from '../../i18n/locale.ts';

type Desk = DeskConflict['desk'];
type Staff = NonNullable<Desk['by']>;
type Adult = NonNullable<Desk['adult']>;

export interface Names {
  childOf: (conflict: Pick<DeskConflict, 'child'>) => string;
  deskOf: (desk: Pick<Desk, 'tablet'>) => string;
  staffOf: (staff: Staff) => string;
  /** With the word “guardian” for one. */
  adultOf: (adult: Adult) => string;
  /** Date and time of day at the facility. */
  momentOf: (at: string) => string;
}

export function useNames(): Names {
  const { t, i18n } = useTranslation('desk-conflicts');
  const format = momentFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
  return {
    childOf: ({ child }) => child.name ?? t('unknownChild'),
    deskOf: ({ tablet }) => tablet.name ?? t('removedDesk'),
    staffOf: ({ name }) => name ?? t('formerStaff'),
    adultOf: ({ name, kind }) => {
      const known = name === null ? t('formerAdult') : `\u2068${name}\u2069`;
      return kind === 'guardian' ? `${known} (${t('guardian')})` : known;
    },
    momentOf: (at) => format.format(new Date(at)),
  };
}
