/** Keeps what left a list in its place for a moment. Knows no child. */
import { useLayoutEffect, useRef, useState } from 'react';

interface Identified {
  readonly _id: string;
}

/**
 * The items that stood in `items` and were taken out less than `lingerMs` ago, as they were.
 * A row that vanished at once would move the next row's button under a finger that is about to press again.
 */
export function useLingering<T extends Identified>(items: readonly T[], lingerMs: number): readonly T[] {
  const previous = useRef(items);
  const [leaving, setLeaving] = useState<readonly T[]>([]);

  // Before the browser paints: between two paints the row must not be gone.
  useLayoutEffect(() => {
    const present = new Set(items.map((item) => item._id));
    const left = previous.current.filter((item) => !present.has(item._id));
    previous.current = items;
    if (left.length === 0) return;
    setLeaving((others) => [...others, ...left]);
    const gone = new Set(left.map((item) => item._id));
    // Not cleared when the list changes again: each one that left has its own moment.
    setTimeout(() => setLeaving((others) => others.filter((item) => !gone.has(item._id))), lingerMs);
  }, [items, lingerMs]);

  return leaving;
}
