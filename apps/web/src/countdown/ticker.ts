/** One tick a second for all countdowns on a page. */
import { COUNTDOWN_REFRESH_MS } from '@haris/contract/constants';

export interface Ticker {
  /** Time of the last tick, in epoch milliseconds; constant between ticks. */
  now(): number;
  /** Calls back on every tick. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

export interface TickerParts {
  /** The clock to read, in epoch milliseconds. */
  clock: () => number;
  /**
   * Calls back when the page becomes active again (a laptop woke up, a tab came forward). Returns a function that
   * unsubscribes.
   */
  onWake: (wake: () => void) => () => void;
}

/**
 * Ticks just after each full second of the clock, so that all countdowns change together. Also ticks when the page
 * becomes active again, because browsers slow down timers of hidden pages and stop them during sleep.
 */
export function createTicker({ clock, onWake }: TickerParts): Ticker {
  const listeners = new Set<() => void>();
  let current = clock();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopWaking: (() => void) | undefined;

  function schedule() {
    const rest = clock() % COUNTDOWN_REFRESH_MS;
    timer = setTimeout(tick, COUNTDOWN_REFRESH_MS - rest);
  }

  function tick() {
    clearTimeout(timer);
    current = clock();
    for (const listener of [...listeners]) listener();
    if (listeners.size > 0) schedule();
  }

  return {
    now() {
      // Without listeners the time is not updated, so refresh an outdated time for the first reader.
      if (listeners.size === 0 && Math.abs(clock() - current) >= COUNTDOWN_REFRESH_MS) current = clock();
      return current;
    },
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) {
        current = clock();
        schedule();
        stopWaking = onWake(tick);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearTimeout(timer);
        stopWaking?.();
      };
    },
  };
}

/** Calls `wake` when this page becomes visible, comes back from the back/forward cache, or gets the focus. */
export function onPageWake(wake: () => void): () => void {
  const whenVisible = () => {
    if (document.visibilityState === 'visible') wake();
  };
  document.addEventListener('visibilitychange', whenVisible);
  window.addEventListener('pageshow', wake);
  window.addEventListener('focus', wake);
  return () => {
    document.removeEventListener('visibilitychange', whenVisible);
    window.removeEventListener('pageshow', wake);
    window.removeEventListener('focus', wake);
  };
}
