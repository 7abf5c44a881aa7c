/** Keeps removed items of a list in their places for a moment. */
import { useLayoutEffect, useRef, useState } from 'react';

interface Identified {
  readonly _id: string;
}

/**
 * The items removed from `items` less than `lingerMs` ago, with their last data. Without this, the next row's button
 * would move under a finger that is about to press again.
 */
export function useLingering<T extends Identified>(items: readonly T[], lingerMs: number): readonly T[] {
  const previous = useRef(items);
  const [leaving, setLeaving] = useState<readonly T[]>([]);

  // A layout effect runs before the browser paints, so the row is never missing from the screen.
  useLayoutEffect(() => {
    const present = new Set(items.map((item) => item._id));
    const left = previous.current.filter((item) => !present.has(item._id));
    previous.current = items;
    if (left.length === 0) return;
    setLeaving((others) => [...others, ...left]);
    const gone = new Set(left.map((item) => item._id));
    // Not cleared when the list changes again, because each item has its own delay.
    setTimeout(() => setLeaving((others) => others.filter((item) => !gone.has(item._id))), lingerMs);
  }, [items, lingerMs]);

  return leaving;
}
