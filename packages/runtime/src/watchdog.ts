/** Watchdog: detects when a process or connection stops giving signs of life; the caller reports each sign. */

export interface Watchdog {
  /** Reports a sign of life. */
  heard(): void;
  stop(): void;
}

/** Longest tick. A limit below two ticks is divided into halves. Milliseconds. */
const TICK_MS = 1_000;

/**
 * Calls `onSilent` once when no sign of life came for `limitMs`, to the precision of a tick. It counts its own ticks
 * instead of comparing times, so that neither a clock jump nor a pause of this process looks like silence of the
 * other.
 */
export function startWatchdog(limitMs: number, onSilent: () => void): Watchdog {
  const tickMs = Math.min(TICK_MS, limitMs / 2);
  let silentTicks = 0;
  const timer = setInterval(() => {
    silentTicks++;
    if (silentTicks * tickMs < limitMs) return;
    clearInterval(timer);
    onSilent();
  }, tickMs);
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
