/** Time in Area (spec §2): the remaining time of a child's stay, and a warning at zero. */
import type { Child } from '@haris/contract/objects';
import { Group, Text, Title } from '@mantine/core';
import { IconClockExclamation, IconHome } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { OverTime } from '../../countdown/over-time.tsx';
import { StayRing } from '../../countdown/stay-ring.tsx';
import { StayTimes } from '../../countdown/stay-times.tsx';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useRemainingSeconds } from '../../countdown/use-tick.ts';
import { Card } from '../../ui/card.tsx';
import classes from './time-in-area.module.css';

export interface TimeInAreaCardProps {
  child: Child;
  /** Temperature, humidity and air quality where the child is, from the environment feature; joined in app/. */
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
      {/* Rendered in advance, because screen readers announce only changes inside an existing live region. */}
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

function Clock({ child, seconds, label }: { child: Child; seconds: number; label: string }) {
  const format = useClockFormat();
  return (
    <div className={classes.clock}>
      <StayRing stay={child} size={168} thickness={10} className={classes.ring} />
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
        <OverTime stay={child} isSaidBeside />
        <Text component="span" size="xs" c="dimmed" aria-hidden>
          {label}
        </Text>
      </div>
      <StayTimes stay={child} className={classes.times} />
    </div>
  );
}

/** The warning; the spec requires its sentence in Arabic in every language. */
function TimesUp() {
  const { t, i18n } = useTranslation('stays');
  return (
    <div className={classes.timesUp}>
      <IconClockExclamation size={26} aria-hidden style={{ flexShrink: 0 }} />
      <div>
        <Text fw={600}>{t('timesUp')}</Text>
        {i18n.language === 'ar' ? null : <Text>{t('timesUpHint')}</Text>}
        <Text lang="ar" dir="rtl">
          {t('timesUpArabic')}
        </Text>
      </div>
    </div>
  );
}
