/** Time in Area (spec §2): how long a child may still stay, and at zero that it is time to leave. */
import type { Child } from '@haris/contract/objects';
import { Group, RingProgress, Text, Title } from '@mantine/core';
import { IconClockExclamation, IconHome } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { dueAt } from '../../countdown/remaining.ts';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useRemainingSeconds } from '../../countdown/use-tick.ts';
import { Card } from '../../ui/card.tsx';
import classes from './time-in-area.module.css';

export interface TimeInAreaCardProps {
  child: Child;
  /** Temperature, humidity and air quality where the child is; app/ joins them. */
  air?: ReactNode;
}

export function TimeInAreaCard({ child, air }: TimeInAreaCardProps) {
  const { t } = useTranslation('stays');
  const title = useId();
  const seconds = useRemainingSeconds(child);
  const isOver = seconds === 0;
  return (
    <Card
      component="section"
      aria-labelledby={title}
      className={classes.card}
      data-over={isOver || undefined}
    >
      <Title order={3} id={title} fz="h4" mb="sm">
        {t('timeInArea')}
      </Title>
      {seconds === null ? <Outside /> : <Clock child={child} seconds={seconds} label={t('timeLeft')} />}
      {/* There before it is needed: only what changes inside a live region is announced. */}
      <div role="alert" aria-atomic="true">
        {isOver ? <TimesUp /> : null}
      </div>
      {air && seconds !== null ? <div className={classes.air}>{air}</div> : null}
    </Card>
  );
}

function Outside() {
  const { t } = useTranslation('stays');
  return (
    <Group gap="sm" wrap="nowrap" c="dimmed">
      <IconHome size={22} aria-hidden style={{ flexShrink: 0 }} />
      <Text size="sm">{t('outsideHint')}</Text>
    </Group>
  );
}

/** Seconds below which the ring asks for attention: ten minutes. */
const SOON_SECONDS = 600;

function Clock({ child, seconds, label }: { child: Child; seconds: number; label: string }) {
  const { t } = useTranslation('stays');
  const format = useClockFormat();
  const due = dueAt(child);
  const total = (child.duration ?? 0) * 60;
  // At zero the ring is full and red: an empty one would be a dot.
  const share = seconds > 0 && total > 0 ? Math.min(100, (seconds / total) * 100) : 100;
  const color = seconds === 0 ? 'clay' : seconds <= SOON_SECONDS ? 'saffron' : 'pine';
  return (
    <div className={classes.clock}>
      <RingProgress
        size={168}
        thickness={10}
        roundCaps
        aria-hidden
        className={classes.ring}
        sections={[{ value: share, color }]}
      />
      <div className={classes.face}>
        <Text
          component="span"
          role="timer"
          aria-label={label}
          dir="ltr"
          className={classes.digits}
          {...(seconds === 0 ? { c: 'var(--mantine-color-error)' } : {})}
        >
          {format.countdown(seconds)}
        </Text>
        <Text component="span" size="xs" c="dimmed" aria-hidden>
          {label}
        </Text>
      </div>
      <dl className={classes.times}>
        <div>
          <dt>{t('entered')}</dt>
          <dd>
            <time dateTime={child.entryTime ?? ''}>{format.timeOfDay(child.entryTime ?? Number.NaN)}</time>
          </dd>
        </div>
        {due === null ? null : (
          <div>
            <dt>{t('due')}</dt>
            <dd>
              <time dateTime={new Date(due).toISOString()}>{format.timeOfDay(due)}</time>
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}

/** The warning, with the sentence that the spec wants in Arabic in every language. */
function TimesUp() {
  const { t } = useTranslation('stays');
  return (
    <div className={classes.timesUp}>
      <IconClockExclamation size={26} aria-hidden style={{ flexShrink: 0 }} />
      <div>
        <Text fw={600}>{t('timesUp')}</Text>
        <Text lang="ar" dir="rtl">
          {t('timesUpArabic')}
        </Text>
      </div>
    </div>
  );
}
