/** The digits of one stay, counting down. */
import classes from './countdown.module.css';
import type { Stay } from './remaining.ts';
import { useClockFormat } from './use-clock-format.ts';
import { useRemainingSeconds } from './use-tick.ts';

export interface CountdownProps {
  stay: Stay;
  /** Accessible name. */
  label: string;
}

/**
 * `MM:SS`, red at zero; nothing while outside. Not announced each second: the time's-up notice is. A bare element: two
 * hundred of them are drawn every second.
 */
export function Countdown({ stay, label }: CountdownProps) {
  const seconds = useRemainingSeconds(stay);
  const format = useClockFormat();
  if (seconds === null) return null;
  return (
    <span
      role="timer"
      aria-label={label}
      dir="ltr"
      className={classes.countdown}
      data-over={seconds === 0 || undefined}
    >
      {format.countdown(seconds)}
    </span>
  );
}
