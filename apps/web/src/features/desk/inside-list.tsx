/** The children on the screen of a desk tablet without a connection: who is inside, and, by name, who can be checked in. */
import type { KeptChild, OutsideChild } from '@haris/contract/desk-list';
import { IconHome } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WrittenSlip } from '../../desk-entries/use-entries.ts';
import { SearchBox } from '../../ui/search-box.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CheckInDialog, type Rooms } from './check-in-dialog.tsx';
import { CheckedIn } from './checked-in.tsx';
import { findKept } from './find-kept.ts';
import { InsideRow } from './inside-row.tsx';
import { KeptCareCard } from './kept-care-card.tsx';
import styles from './kept-inside.module.css';
import { KeptSlip, type KeptSlipOf } from './kept-slip.tsx';
import { OutsideRow, type OutsideRowProps } from './outside-row.tsx';
import type { OpenedList } from './use-merged-list.ts';

/** The dialog above the list. */
type Shown =
  | { readonly kind: 'card'; readonly child: KeptChild }
  | { readonly kind: 'checkIn'; readonly child: OutsideChild; readonly rooms: Rooms }
  | { readonly kind: 'slip'; readonly of: KeptSlipOf };

export interface InsideListProps {
  list: OpenedList;
  /** The rooms into which this person may check children in now; none without the right. */
  rooms: Rooms;
  /** What the person checked in here, by child. */
  slips: ReadonlyMap<string, WrittenSlip>;
  onWritten: (slip: WrittenSlip) => void;
}

export function InsideList({ list: { merged }, rooms, slips, onWritten }: InsideListProps) {
  const { t } = useTranslation('desk');
  const [typed, setTyped] = useState('');
  const [shown, setShown] = useState<Shown | null>(null);
  const [done, setDone] = useState<KeptSlipOf | null>(null);
  const close = useCallback(() => setShown(null), []);
  const showCard = useCallback((child: KeptChild) => setShown({ kind: 'card', child }), []);
  const showSlip = useCallback((of: KeptSlipOf) => setShown({ kind: 'slip', of }), []);
  const checkIn = useCallback(
    (child: OutsideChild) => {
      setDone(null);
      // The rooms of now: an open dialog stays usable when the connection comes back.
      setShown({ kind: 'checkIn', child, rooms });
    },
    [rooms],
  );
  const { inside, outside } = findKept(merged, typed);
  const isSearching = typed.trim() !== '';
  const mayCheckIn = rooms.length > 0;
  return (
    <>
      <div className={styles.tools}>
        <SearchBox
          size="md"
          typed={typed}
          onType={setTyped}
          isBusy={false}
          label={t('list.search')}
          placeholder={t('list.search')}
          clearLabel={t('who.clear')}
        />
        <CheckedIn done={done} onPrint={showSlip} />
      </div>
      <div className={styles.list}>
        {merged.inside.length + merged.unknown.length === 0 && !isSearching ? (
          <EmptyState
            icon={<IconHome size={28} />}
            text={t('list.empty')}
            hint={mayCheckIn ? t('list.searchHint') : t('list.emptyHint')}
          />
        ) : null}
        {merged.unknown.length === 0 ? null : <p>{t('list.unknown', { count: merged.unknown.length })}</p>}
        <ul className={styles.rows}>
          {inside.map((child) => (
            <InsideRow
              key={child.id}
              child={child}
              slip={slips.get(child.id)}
              onCard={showCard}
              onSlip={showSlip}
            />
          ))}
        </ul>
        <Outside of={outside} onCheckIn={mayCheckIn ? checkIn : null} />
        <p role="status" className={styles.nobody}>
          {isSearching && inside.length + outside.length === 0 ? t('who.nobody') : ''}
        </p>
      </div>
      {shown === null ? null : (
        <Above
          shown={shown}
          onClose={close}
          onWritten={(child, slip) => {
            onWritten(slip);
            setDone({ child, slip });
          }}
        />
      )}
    </>
  );
}

interface OutsideProps extends Pick<OutsideRowProps, 'onCheckIn'> {
  of: readonly OutsideChild[];
}

function Outside({ of, onCheckIn }: OutsideProps) {
  const { t } = useTranslation('desk');
  if (of.length === 0) return null;
  return (
    <section aria-label={t('list.outside')}>
      <h2 className={styles.group}>{t('list.outside')}</h2>
      <ul className={styles.rows}>
        {of.map((child) => (
          <OutsideRow key={child.id} child={child} onCheckIn={onCheckIn} />
        ))}
      </ul>
    </section>
  );
}

interface AboveProps {
  shown: Shown;
  onClose: () => void;
  onWritten: (child: OutsideChild, slip: WrittenSlip) => void;
}

/** The dialog above the list. */
function Above({ shown, onClose, onWritten }: AboveProps) {
  if (shown.kind === 'card') return <KeptCareCard child={shown.child} onClose={onClose} />;
  if (shown.kind === 'slip') return <KeptSlip of={shown.of} onClose={onClose} />;
  const { child, rooms } = shown;
  return (
    <CheckInDialog
      child={child}
      rooms={rooms}
      onClose={onClose}
      onWritten={(slip) => onWritten(child, slip)}
    />
  );
}
