/** Hooks over the page's only ticker. */
import { useCallback, useSyncExternalStore } from 'react';
import { serverNow } from '../calls/server-clock.ts';
import { overdueSeconds, remainingSeconds, type Stay } from './remaining.ts';
import { createTicker, onPageWake } from './ticker.ts';

const ticker = createTicker({ clock: serverNow, onWake: onPageWake });

/**
 * Result of `read` for the server's clock (epoch milliseconds), updated every second. Renders again only when the
 * result changes, so it must be a primitive or null.
 */
export function useAtTick<T extends number | string | boolean | null>(read: (now: number) => T): T {
  const snapshot = useCallback(() => read(ticker.now()), [read]);
  return useSyncExternalStore(ticker.subscribe, snapshot);
}

/** Whether a stay is over; renders again only when that changes. */
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

/** Seconds left as a countdown shows them: from an hour on in whole minutes, so that a row renders once a minute. */
export function useShownSeconds(stay: Stay): number | null {
  const { isInside, entryTime, duration } = stay;
  return useAtTick(
    useCallback(
      (now: number) => {
        const seconds = remainingSeconds({ isInside, entryTime, duration }, now);
        // One second more than the whole minutes, because a full hour is still shown as 60:00.
        return seconds === null || seconds <= 3600 ? seconds : seconds - (seconds % 60) + 1;
      },
      [isInside, entryTime, duration],
    ),
  );
}

/** Whole minutes since the end of a stay; null before it and while outside. */
export function useMinutesOver(stay: Stay): number | null {
  const { isInside, entryTime, duration } = stay;
  return useAtTick(
    useCallback(
      (now: number) => {
        const whole = { isInside, entryTime, duration };
        return remainingSeconds(whole, now) === 0 ? Math.floor(overdueSeconds(whole, now) / 60) : null;
      },
      [isInside, entryTime, duration],
    ),
  );
}

/** Percentage of a stay that is left, in whole per cent, and whether it ends within `soon` seconds; null while outside. */
export function useRemainingShare(
  stay: Stay,
  soon: number,
): readonly [share: number, state: 'over' | 'soon' | 'ok'] | null {
  const { isInside, entryTime, duration } = stay;
  const share = useAtTick(
    useCallback(
      (now: number) => {
        const seconds = remainingSeconds({ isInside, entryTime, duration }, now);
        if (seconds === null) return null;
        if (seconds === 0) return 0;
        const percent = Math.max(1, Math.round((seconds / ((duration ?? 1) * 60)) * 100));
        // One number, because only primitives are compared: the sign says that the end is near.
        return seconds <= soon ? -percent : percent;
      },
      [isInside, entryTime, duration, soon],
    ),
  );
  if (share === null) return null;
  return [Math.abs(share), share === 0 ? 'over' : share < 0 ? 'soon' : 'ok'];
}
