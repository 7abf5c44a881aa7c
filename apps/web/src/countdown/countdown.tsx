/** Countdown of one stay: hours and minutes while they are many, `MM:SS` in the last hour. */
import { useTranslation } from 'react-i18next';
import classes from './countdown.module.css';
import type { Stay } from './remaining.ts';
import { useClockFormat } from './use-clock-format.ts';
import { useShownSeconds } from './use-tick.ts';

export interface CountdownProps {
  stay: Stay;
  /** Accessible name. */
  label: string;
  className?: string | undefined;
}

/** Above this number of seconds, hours and minutes are shown: nobody reads 235:50 as nearly four hours. */
const HOUR_S = 3600;

/**
 * Red `00:00` at zero; nothing while outside. Screen readers announce the time's-up toast instead of each second. Uses a
 * plain element, because two hundred of them update every second.
 */
export function Countdown({ stay, label, className }: CountdownProps) {
  const { t } = useTranslation('stays');
  const seconds = useShownSeconds(stay);
  const format = useClockFormat();
  if (seconds === null) return null;
  const isLong = seconds > HOUR_S;
  const minutes = Math.floor(seconds / 60);
  return (
    <span
      role="timer"
      aria-label={label}
      {...(isLong ? {} : { dir: 'ltr' })}
      className={[classes.countdown, className].filter(Boolean).join(' ')}
      data-long={isLong || undefined}
      data-over={seconds === 0 || undefined}
    >
      {isLong
        ? t('hoursMinutes', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
        : format.countdown(seconds)}
    </span>
  );
}
