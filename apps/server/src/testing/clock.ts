/** A clock that stands still until a test moves it. */
import type { Clock } from '../clock.ts';

export interface TestClock extends Clock {
  /** Moves forward. Milliseconds. */
  advance(ms: number): void;
}

/** Stands at a morning in November until it is moved. */
export function makeClock(start = Date.parse('2026-11-20T08:00:00.000Z')): TestClock {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}
