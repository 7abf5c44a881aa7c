/**
 * What the person who works at a desk tablet sees once the server has not answered for a while: that there is no connection, and, by a press,
 * who is inside. Only for that person: on a tablet that is locked, nobody has shown who they are.
 */
import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListState } from '../../desk-list/kept-list.ts';
import { useKeepList } from '../../desk-list/use-keep-list.ts';
import { createDeskCalls } from './desk-calls.ts';
import styles from './desk-outage.module.css';
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

export function DeskOutage({ token, left, onHandOver }: DeskOutageProps) {
  const { t } = useTranslation('desk');
  const state = useListState();
  useKeepList(token);
  const calls = useMemo(() => createDeskCalls(token), [token]);
  const isCut = useNoAnswer(calls.look, state !== 'off');
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  return (
    <>
      {/* The live region is always there, because screen readers announce only text added to an existing region. */}
      <div role="alert" className={styles.place}>
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
      {isOpen ? (
        <InsideScreen
          isCut={isCut}
          isEnded={state !== 'kept'}
          left={left}
          onHandOver={onHandOver}
          onClose={close}
        />
      ) : null}
    </>
  );
}
