/** The bar of the person who works at a desk tablet: the name, the time left, handing over, and below it that there is no connection. */
import { IconLock, IconUser } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endTicket } from '../../desk-entries/ticket.ts';
import { signOut } from '../../session/session.tsx';
import { readPairing } from '../../tablet/paired-device.ts';
import { clearToasts } from '../../ui/toast.ts';
import styles from './desk-bar.module.css';
import { DeskOutage } from './desk-outage.tsx';
import { idleTime } from './desk-time.ts';
import { useDeskLock } from './use-desk-lock.ts';

export function DeskBar({ name }: { name: string }) {
  const { t } = useTranslation('desk');
  const client = useQueryClient();
  const [pairing] = useState(() => readPairing('desk'));
  const [isLeaving, setLeaving] = useState(false);
  const handOver = () => {
    // Without a connection signing out takes seconds, and the person goes away.
    setLeaving(true);
    // From here on nothing is written in this person's name.
    void endTicket();
    // The shell leads to the desk's page once the session is over. Before, that page would lead back to the dashboard.
    void signOut(client, clearToasts);
  };
  const left = useDeskLock(idleTime(), handOver);
  return (
    <>
      <aside className={styles.bar} aria-label={t('bar.label')} data-desk-bar>
        <span className={styles.name}>
          <IconUser size={18} aria-hidden />
          <bdi>{name}</bdi>
        </span>
        {left === null ? null : (
          <span className={styles.left} role="timer">
            {t('bar.left', { count: left })}
          </span>
        )}
        <button type="button" className={styles.button} onClick={handOver}>
          <IconLock size={18} aria-hidden />
          {t('bar.handOver')}
        </button>
      </aside>
      {pairing === null || isLeaving ? null : (
        <DeskOutage token={pairing.token} left={left} onHandOver={handOver} />
      )}
    </>
  );
}
