/** "Who are you?": staff by face or initials, searchable once they are many. */
import { foldForSearch } from '@haris/contract/search/folding';
import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchBox } from '../../ui/search-box.tsx';
import styles from './desk.module.css';
import type { DeskCalls, DeskStaff } from './desk-calls.ts';
import { DeskFace } from './desk-face.tsx';

/** From this many people on there is a search field. */
const SEARCH_FROM = 12;

export interface WhoGridProps {
  /** Null until the server has answered. */
  staff: readonly DeskStaff[] | null;
  calls: Pick<DeskCalls, 'photo'>;
  onChoose: (who: DeskStaff) => void;
}

export function WhoGrid({ staff, calls, onChoose }: WhoGridProps) {
  const { t } = useTranslation(['desk', 'common']);
  const [typed, setTyped] = useState('');
  const wanted = foldForSearch(typed);
  const found = (staff ?? []).filter(({ name }) => foldForSearch(name).includes(wanted));
  return (
    <section className={styles.who} aria-labelledby="desk-who">
      <h1 className={styles.heading} id="desk-who">
        {t('who.title')}
      </h1>
      {staff !== null && staff.length >= SEARCH_FROM ? (
        <SearchBox
          size="lg"
          className={styles.search ?? ''}
          typed={typed}
          onType={setTyped}
          isBusy={false}
          label={t('who.search')}
          placeholder={t('who.search')}
          clearLabel={t('who.clear')}
        />
      ) : null}
      {staff === null ? (
        <div className={styles.grid} role="status" aria-label={t('common:loading')}>
          {['a', 'b', 'c', 'd'].map((place) => (
            <Skeleton key={place} height={92} radius="lg" />
          ))}
        </div>
      ) : (
        <ul className={styles.grid}>
          {found.map((member) => (
            <li key={member._id}>
              <button
                type="button"
                className={styles.person}
                disabled={!member.hasPin && !member.hasPasskey}
                onClick={() => onChoose(member)}
              >
                <DeskFace who={member} calls={calls} size={52} />
                <span className={styles.personName}>
                  <bdi>{member.name}</bdi>
                  {member.hasPin ? null : <small>{t('who.noPin')}</small>}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className={styles.nobody}>
        {staff !== null && found.length === 0 ? t('who.nobody') : ''}
      </p>
    </section>
  );
}
