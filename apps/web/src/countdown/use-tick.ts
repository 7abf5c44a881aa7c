/** React's side of the one ticker of this page. */
import { useCallback, useSyncExternalStore } from 'react';
import { serverNow } from '../client/server-clock.ts';
import { remainingSeconds, type Stay } from './remaining.ts';
import { createTicker, onPageWake } from './ticker.ts';

const ticker = createTicker({ clock: serverNow, onWake: onPageWake });

/**
 * What `read` makes of the server's clock (epoch milliseconds), read again every second. Renders again only when the
 * answer changes, so it must be a number, a string or null.
 */
export function useAtTick<T extends number | string | boolean | null>(read: (now: number) => T): T {
  const snapshot = useCallback(() => read(ticker.now()), [read]);
  return useSyncExternalStore(ticker.subscribe, snapshot);
}

/** Whether a stay has come to its end; renders again only when that changes. */
export function useIsOver(stay: Stay): boolean {
  const { isInside, entryTime, duration } = stay;
  return useAtTick(
    useCallback(
      (now: number) => remainingSeconds({ isInside, entryTime, duration }, now) === 0,
      [isInside, entryTime, duration],
    ),
  );
}

/** Whole seconds left of a stay, kept up to date; null while outside. */
export function useRemainingSeconds(stay: Stay): number | null {
  const { isInside, entryTime, duration } = stay;
  return useAtTick(
    useCallback(
      (now: number) => remainingSeconds({ isInside, entryTime, duration }, now),
      [isInside, entryTime, duration],
    ),
  );
}
