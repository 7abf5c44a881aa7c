/** The time and date of the facility, large. */
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useAtTick } from '../../countdown/use-tick.ts';
import { momentFormat } from '../../i18n/locale.ts';
import { Logo } from '../../ui/logo.tsx';
import styles from './desk.module.css';

const MINUTE_MS = 60_000;

export function DeskClock({ facility }: { facility: string }) {
  const { i18n } = useTranslation('desk');
  const minute = useAtTick(useCallback((now: number) => Math.floor(now / MINUTE_MS), []));
  const now = new Date(minute * MINUTE_MS);
  return (
    <div className={styles.clock}>
      <p className={styles.facility}>
        <Logo size={28} />
        <bdi>{facility}</bdi>
      </p>
      <time className={styles.time} dateTime={now.toISOString()}>
        {momentFormat(i18n.language, { hour: 'numeric', minute: '2-digit' }).format(now)}
      </time>
      <p className={styles.date}>
        {momentFormat(i18n.language, { weekday: 'long', day: 'numeric', month: 'long' }).format(now)}
      </p>
    </div>
  );
}
