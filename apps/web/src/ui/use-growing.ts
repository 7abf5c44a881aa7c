/** Draws a long list in pieces: what fills the screen at once, the rest while the page has nothing else to do. */
import { startTransition, useEffect, useState } from 'react';

/** So many more at a time: on a slow phone they cost less than what a finger notices. */
const STEP = 3;
/** A page that is never idle shows the next ones all the same. Milliseconds. */
const WAIT_AT_MOST_MS = 200;

/** Calls back when the page is idle; the answer takes it back. Safari does not tell when it is. */
function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(act, 1);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(act, { timeout: WAIT_AT_MOST_MS });
  return () => cancelIdleCallback(request);
}

/** Narrower pages have items of several lines. */
export const PHONE_BELOW_PX = 480;

export interface Grown<T> {
  readonly shown: readonly T[];
  /** All of them are shown: the end of the list is where it seems to be. */
  readonly isWhole: boolean;
}

/** `leastHeight`: what an item takes at least, in pixels; a screen full of such items is shown from the start. */
export function useGrowing<T>(items: readonly T[], leastHeight: number): Grown<T> {
  const [count, setCount] = useState(() => Math.ceil(innerHeight / leastHeight));
  const isWhole = count >= items.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step waits for its own moment
  useEffect(() => {
    if (isWhole) return;
    return whenIdle(() => startTransition(() => setCount((before) => before + STEP)));
  }, [isWhole, count]);
  return { shown: isWhole ? items : items.slice(0, count), isWhole };
}
