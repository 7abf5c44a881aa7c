/** The time left of a stay and its due time; past the due time, how long it is over. */
import type { Child } from '@haris/contract/objects';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Countdown } from '../../countdown/countdown.tsx';
import { OverTime } from '../../countdown/over-time.tsx';
import { dueAt } from '../../countdown/remaining.ts';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useIsOver, useMinutesOver } from '../../countdown/use-tick.ts';
import styles from './child-card.module.css';

export function TimeLeft({ child }: { child: Child }) {
  const { t } = useTranslation(['profile', 'stays']);
  const format = useClockFormat();
  const isOver = useIsOver(child);
  const minutesOver = useMinutesOver(child) ?? 0;
  const due = dueAt(child);
  if (due === null) return null;
  return (
    <div className={styles.time}>
      <span className={styles.countdown}>
        <Countdown stay={child} label={`${t('stays:timeLeft')} ${child.name}`} className={styles.digits} />
        {isOver ? null : (
          <Text component="span" size="sm" aria-hidden>
            {t('profile:left')}
          </Text>
        )}
        {minutesOver > 0 ? <OverTime stay={child} /> : null}
      </span>
      <Text component="span" size="sm" c="dimmed">
        <time dateTime={new Date(due).toISOString()}>
          {t('profile:until', {
            time: format.endOfStay(due, Date.parse(child.entryTime ?? '')),
          })}
        </time>
      </Text>
      {/* Rendered in advance, because screen readers announce only changes inside an existing live region. */}
      <Text component="span" size="sm" fw={600} role="status" c="var(--mantine-color-error)">
        {isOver ? t('stays:timesUp') : ''}
      </Text>
    </div>
  );
}
