/** Who is inside, from the list that this tablet keeps and what it wrote since: without a connection. */
import { Button } from '@mantine/core';
import { IconArrowLeft, IconLock } from '@tabler/icons-react';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useMayWrite } from '../../desk-entries/ticket.ts';
import { useWaitingEntries, type WrittenSlip } from '../../desk-entries/use-entries.ts';
import tablet from '../../tablet/tablet.module.css';
import { ErrorState, PeopleSkeleton } from '../../ui/states.tsx';
import type { Rooms } from './check-in-dialog.tsx';
import { EntriesWords } from './entries-words.tsx';
import { InsideList } from './inside-list.tsx';
import styles from './kept-inside.module.css';
import { type OpenedList, useMergedList } from './use-merged-list.ts';

export interface InsideScreenProps {
  /** False once the server answers again. */
  isCut: boolean;
  /** The list was deleted: its time is over, or the tablet must keep none any more. */
  isEnded: boolean;
  /** Seconds until the tablet locks, while few are left. */
  left: number | null;
  /** What the person checked in here, by child. */
  slips: ReadonlyMap<string, WrittenSlip>;
  onWritten: (slip: WrittenSlip) => void;
  onHandOver: () => void;
  onClose: () => void;
}

const NONE: Rooms = [];

export function InsideScreen({ isCut, isEnded, slips, onWritten, onClose, ...head }: InsideScreenProps) {
  const { t } = useTranslation('desk');
  const frame = useRef<HTMLDialogElement>(null);
  const id = useId();
  const { entries } = useWaitingEntries();
  const { opened, retry } = useMergedList(entries);
  const mayWrite = useMayWrite();
  useEffect(() => {
    frame.current?.showModal();
  }, []);
  const list = isEnded ? null : opened;
  // With a connection, check-ins go the usual way, which knows more.
  const rooms = isCut && mayWrite ? (list?.list.checkIn?.rooms ?? null) : null;
  return (
    <dialog ref={frame} className={styles.frame} aria-labelledby={id} onClose={onClose}>
      <Head id={id} list={list ?? null} isCut={isCut} onBack={() => frame.current?.close()} {...head} />
      <p role="status" className={styles.note}>
        {isEnded
          ? t('list.ended')
          : !isCut
            ? t('list.back')
            : list === undefined
              ? ''
              : rooms === null
                ? t('list.readOnly')
                : rooms.length === 0
                  ? t('list.noRooms')
                  : t('list.canCheckIn')}
      </p>
      {isEnded ? null : list === undefined ? (
        <div className={styles.list}>
          <PeopleSkeleton />
        </div>
      ) : list === null ? (
        <ErrorState text={t('list.failed')} onRetry={retry} />
      ) : (
        <InsideList list={list} rooms={rooms ?? NONE} slips={slips} onWritten={onWritten} />
      )}
    </dialog>
  );
}

interface HeadProps extends Pick<InsideScreenProps, 'isCut' | 'left' | 'onHandOver'> {
  /** Names the screen. */
  id: string;
  list: OpenedList | null;
  onBack: () => void;
}

/** With those whom nobody can name. */
const countOf = ({ merged }: OpenedList) => merged.inside.length + merged.unknown.length;

function Head({ id, list, isCut, left, onHandOver, onBack }: HeadProps) {
  const { t } = useTranslation('desk');
  const format = useClockFormat();
  return (
    <div className={styles.head}>
      <h1 id={id} className={styles.title}>
        {list === null ? t('list.title') : t('list.count', { count: countOf(list) })}
      </h1>
      <p className={styles.asOf}>
        {list === null ? null : t('list.asOf', { time: format.timeOfDay(list.asOf) })}
      </p>
      <div role="status" className={styles.entries}>
        <EntriesWords isCut={isCut} />
      </div>
      {left === null ? null : (
        <span className={styles.lock} role="timer">
          {t('bar.left', { count: left })}
        </span>
      )}
      <Button
        variant="default"
        leftSection={<IconArrowLeft size={20} className={tablet.mirror ?? ''} aria-hidden />}
        onClick={onBack}
      >
        {t('pin.back')}
      </Button>
      <Button variant="default" leftSection={<IconLock size={18} aria-hidden />} onClick={onHandOver}>
        {t('bar.handOver')}
      </Button>
    </div>
  );
}
