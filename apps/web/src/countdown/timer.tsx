/** A stay's time as a ring that empties, with the time left in it; red and counting up once the time is over. */
import { Countdown } from './countdown.tsx';
import { OverTime } from './over-time.tsx';
import { dueAt, type Stay } from './remaining.ts';
import { StayRing } from './stay-ring.tsx';
import classes from './timer.module.css';

export interface TimerProps {
  stay: Stay;
  /** Accessible name. */
  label: string;
  /** Diameter in pixels. */
  size?: number;
}

/** Renders nothing while the child is outside. */
export function Timer({ stay, label, size = 148 }: TimerProps) {
  if (dueAt(stay) === null) return null;
  return (
    <div className={classes.timer} style={{ inlineSize: size, blockSize: size }}>
      <StayRing stay={stay} size={size} thickness={Math.max(6, Math.round(size / 16))} />
      <div className={classes.face}>
        <Countdown stay={stay} label={label} className={classes.digits} />
        <OverTime stay={stay} />
      </div>
    </div>
  );
}
