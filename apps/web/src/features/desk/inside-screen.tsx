/** Who is inside, from the list that this tablet keeps: to read, without a connection. Makes no calls. */
import type { DeskList, KeptChild } from '@haris/contract/desk-list';
import { Button } from '@mantine/core';
import { IconArrowLeft, IconHome, IconLock } from '@tabler/icons-react';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CareView } from '../../care/care-view.tsx';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { type OpenedList, openList } from '../../desk-list/kept-list.ts';
import tablet from '../../tablet/tablet.module.css';
import { SearchBox } from '../../ui/search-box.tsx';
import { EmptyState, ErrorState, PeopleSkeleton } from '../../ui/states.tsx';
import { findKept } from './find-kept.ts';
import { InsideRow } from './inside-row.tsx';
import styles from './kept-inside.module.css';

export interface InsideScreenProps {
  /** False once the server answers again. */
  isCut: boolean;
  /** The list was deleted: its time is over, or the tablet must keep none any more. */
  isEnded: boolean;
  /** Seconds until the tablet locks, while few are left. */
  left: number | null;
  onHandOver: () => void;
  onClose: () => void;
}

export function InsideScreen({ isCut, isEnded, left, onHandOver, onClose }: InsideScreenProps) {
  const { t } = useTranslation('desk');
  const format = useClockFormat();
  const frame = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Undefined: not opened yet; null: it cannot be.
  const [opened, setOpened] = useState<OpenedList | null | undefined>(undefined);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try opens the list again
  useEffect(() => {
    let isOver = false;
    void openList().then((found) => {
      if (!isOver) setOpened(found);
    });
    return () => {
      isOver = true;
    };
  }, [tries]);
  useEffect(() => {
    frame.current?.showModal();
  }, []);
  const list = isEnded ? null : opened;
  return (
    <dialog ref={frame} className={styles.frame} aria-labelledby={id} onClose={onClose}>
      <div className={styles.head}>
        <h1 id={id} className={styles.title}>
          {list == null ? t('list.title') : t('list.count', { count: list.list.inside.length })}
        </h1>
        <p className={styles.asOf}>
          {list == null ? null : t('list.asOf', { time: format.timeOfDay(list.asOf) })}
        </p>
        {left === null ? null : (
          <span className={styles.lock} role="timer">
            {t('bar.left', { count: left })}
          </span>
        )}
        <Button
          variant="default"
          leftSection={<IconArrowLeft size={20} className={tablet.mirror ?? ''} aria-hidden />}
          onClick={() => frame.current?.close()}
        >
          {t('pin.back')}
        </Button>
        <Button variant="default" leftSection={<IconLock size={18} aria-hidden />} onClick={onHandOver}>
          {t('bar.handOver')}
        </Button>
      </div>
      <p role="status" className={styles.note}>
        {isEnded ? t('list.ended') : isCut ? t('list.readOnly') : t('list.back')}
      </p>
      {isEnded ? null : list === undefined ? (
        <div className={styles.list}>
          <PeopleSkeleton />
        </div>
      ) : list === null ? (
        <ErrorState text={t('list.failed')} onRetry={() => setTries((number) => number + 1)} />
      ) : (
        <Inside list={list.list} />
      )}
    </dialog>
  );
}

function Inside({ list }: { list: DeskList }) {
  const { t } = useTranslation('desk');
  const [typed, setTyped] = useState('');
  const [shown, setShown] = useState<KeptChild | null>(null);
  const close = useCallback(() => setShown(null), []);
  const { inside, outside } = findKept(list, typed);
  const isNobody = inside.length + outside.length === 0;
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
      </div>
      <div className={styles.list}>
        {list.inside.length === 0 && typed.trim() === '' ? (
          <EmptyState icon={<IconHome size={28} />} text={t('list.empty')} hint={t('list.emptyHint')} />
        ) : null}
        <ul className={styles.rows}>
          {inside.map((child) => (
            <InsideRow key={child.id} child={child} onCard={setShown} />
          ))}
        </ul>
        {outside.length === 0 ? null : (
          <section aria-label={t('list.outside')}>
            <h2 className={styles.group}>{t('list.outside')}</h2>
            <ul className={styles.rows}>
              {outside.map(({ id, name }) => (
                <li key={id} className={styles.row}>
                  <bdi>{name}</bdi>
                </li>
              ))}
            </ul>
          </section>
        )}
        <p role="status" className={styles.nobody}>
          {isNobody && typed.trim() !== '' ? t('who.nobody') : ''}
        </p>
      </div>
      {shown === null ? null : <KeptCareCard child={shown} onClose={close} />}
    </>
  );
}

/** The care card as it was when the list was fetched. */
function KeptCareCard({ child: { name, card }, onClose }: { child: KeptChild; onClose: () => void }) {
  const { t } = useTranslation(['care-card', 'desk']);
  const frame = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    frame.current?.showModal();
  }, []);
  return (
    <dialog
      ref={frame}
      className={styles.card}
      aria-labelledby={id}
      onCancel={(event) => event.stopPropagation()}
      onClose={(event) => {
        event.stopPropagation();
        onClose();
      }}
    >
      <h2 id={id}>{t('titleOf', { name })}</h2>
      {card === null ? <p>{t('desk:list.cardUnreadable')}</p> : <CareView card={card} />}
      <p className={styles.below}>{t('view.kept')}</p>
      <Button mt="md" fullWidth variant="default" onClick={() => frame.current?.close()}>
        {t('view.close')}
      </Button>
    </dialog>
  );
}
