/** One tick a second for everything on a page that counts down. Knows no child and no React. */
import { COUNTDOWN_REFRESH_MS } from '@haris/contract/constants';

export interface Ticker {
  /** The clock as of the last tick, in epoch milliseconds; steady between ticks. */
  now(): number;
  /** Ticks while anyone listens; the answer stops listening. */
  subscribe(listener: () => void): () => void;
}

export interface TickerParts {
  /** The clock to read, in epoch milliseconds. */
  clock: () => number;
  /** Calls back when the page is looked at again (a laptop woke up, a tab came forward); the answer stops that. */
  onWake: (wake: () => void) => () => void;
}

/**
 * Ticks just after each full second of the clock, so that every countdown on the page changes together, and at once
 * when the page is looked at again: browsers slow timers of hidden pages down and stop them in sleep.
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
      // Nobody has kept it up to date: the first reader of a page must not see the time of the last page.
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
