/** Notices that something which should give signs of life has gone silent. Knows no process and no wire. */

export interface Watchdog {
  /** A sign of life came. */
  heard(): void;
  stop(): void;
}

const TICK_MS = 1_000;

/**
 * Calls `onSilent` once when nothing was heard for `limitMs` (a multiple of one second), counted from now on. It counts
 * its own ticks instead of comparing times: a clock that jumps, or a pause of this very process, is no silence of the other.
 */
export function startWatchdog(limitMs: number, onSilent: () => void): Watchdog {
  let silentTicks = 0;
  const timer = setInterval(() => {
    silentTicks++;
    if (silentTicks * TICK_MS < limitMs) return;
    clearInterval(timer);
    onSilent();
  }, TICK_MS);
  timer.unref();
  return {
    heard() {
      silentTicks = 0;
    },
    stop() {
      clearInterval(timer);
    },
  };
}
