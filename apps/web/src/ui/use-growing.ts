/** Renders a long list in pieces: the first screenful at once, the rest while the page is idle. */
import { startTransition, useEffect, useState } from 'react';
import { whenIdle } from './when-idle.ts';

/** Items added at a time: few enough that a slow phone stays responsive. */
const STEP = 3;
/** Below this width, list items have several lines. */
export const PHONE_BELOW_PX = 480;

export interface Grown<T> {
  readonly shown: readonly T[];
  /** True once all items are shown, so the visible end is the end of the list. */
  readonly isWhole: boolean;
}

/**
 * `leastHeight` returns the minimum height of an item in pixels; the first render fills one screen with such items. It is
 * asked once: reading the window's size in each render would lay the whole page out each time.
 */
export function useGrowing<T>(items: readonly T[], leastHeight: () => number): Grown<T> {
  const [count, setCount] = useState(() => Math.ceil(innerHeight / leastHeight()));
  const isWhole = count >= items.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step waits for its own moment
  useEffect(() => {
    if (isWhole) return;
    return whenIdle(() => startTransition(() => setCount((before) => before + STEP)));
  }, [isWhole, count]);
  return { shown: isWhole ? items : items.slice(0, count), isWhole };
}
