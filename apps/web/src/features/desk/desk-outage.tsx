/**
 * What the person who works at a desk tablet sees once the server has not answered for a while: that there is no connection, and, by a press,
 * who is inside. Only for that person: on a tablet that is locked, nobody has shown who they are. Also what waits to be sent.
 */
import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endPause } from '../../desk-entries/send-entries.ts';
import { useWaitingEntries, type WrittenSlip } from '../../desk-entries/use-entries.ts';
import { useListState } from '../../desk-list/kept-list.ts';
import { useKeepList } from '../../desk-list/use-keep-list.ts';
import { useWakeLock } from '../../ui/use-wake-lock.ts';
import { ConflictsNotice } from './conflicts-notice.tsx';
import { createDeskCalls } from './desk-calls.ts';
import styles from './desk-outage.module.css';
import { EntriesWords } from './entries-words.tsx';
import { InsideScreen } from './inside-screen.tsx';
import { useNoAnswer } from './use-no-answer.ts';

export interface DeskOutageProps {
  /** Of this tablet's pairing. */
  token: string;
  /** Seconds until the tablet locks, while few are left. */
  left: number | null;
  /** Ends the person's time. */
  onHandOver: () => void;
}

const NO_SLIPS: ReadonlyMap<string, WrittenSlip> = new Map();

export function DeskOutage({ token, left, onHandOver }: DeskOutageProps) {
  const { t } = useTranslation('desk');
  const state = useListState();
  useKeepList(token);
  const calls = useMemo(() => createDeskCalls(token), [token]);
  const { count } = useWaitingEntries();
  // Entries outlive the list, and are not being sent while nobody answers.
  const isCut = useNoAnswer(calls.look, state !== 'off' || count > 0);
  useEffect(() => {
    // What waits is sent at once, rather than after the pause of the tries that failed.
    if (!isCut) endPause();
  }, [isCut]);
  // A tablet that sleeps counts no time.
  useWakeLock(isCut);
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  // Outlives the screen, so that a slip can be printed again; it ends with the person's time.
  const [slips, setSlips] = useState(NO_SLIPS);
  const keepSlip = useCallback(
    (slip: WrittenSlip) => setSlips((kept) => new Map(kept).set(slip.entry.childId, slip)),
    [],
  );
  return (
    <>
      {/* The live regions are always there, because screen readers announce only text added to an existing region. */}
      <div className={styles.place}>
        <div role="alert">
          {isCut ? (
            <div className={styles.cut}>
              <IconPlugConnectedX size={28} aria-hidden />
              <div className={styles.words}>
                <strong>{t('offline.title')}</strong>
                <p>{t(`list.state.${state}`)}</p>
              </div>
              {state === 'kept' ? (
                <Button color="pine" onClick={() => setOpen(true)}>
                  {t('list.open')}
                </Button>
              ) : null}
            </div>
          ) : null}
        </div>
        <div role="status" className={styles.entries}>
          <EntriesWords isCut={isCut} />
          <ConflictsNotice />
        </div>
      </div>
      {isOpen ? (
        <InsideScreen
          isCut={isCut}
          isEnded={state !== 'kept'}
          left={left}
          slips={slips}
          onWritten={keepSlip}
          onHandOver={onHandOver}
          onClose={close}
        />
      ) : null}
    </>
  );
}
