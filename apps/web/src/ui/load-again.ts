/** Fetches code that is not part of the first load, and retries until it arrives. */
import { startTransition, useEffect, useState } from 'react';

/** Pause before code that failed to load is requested again, in milliseconds. */
const LOAD_PAUSE_MS = 5000;

/** Repeats `load` until it succeeds; returns null once the result is no longer wanted. */
export async function loadAgain<T>(load: () => Promise<T>, isUnwanted: () => boolean): Promise<T | null> {
  for (;;) {
    if (isUnwanted()) return null;
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, LOAD_PAUSE_MS));
    }
  }
}

/** Result of `load`, null until it arrives. Loads only when `isWanted`. `load` must be stable across renders. */
export function useLoaded<T>(load: () => Promise<T>, isWanted = true): T | null {
  const [loaded, setLoaded] = useState<T | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    let isStopped = false;
    // In a task of its own, because requesting a part with its thirty files takes a phone as long as rendering a screen.
    const timer = setTimeout(() => {
      void loadAgain(load, () => isStopped).then((result) => {
        if (!isStopped) startTransition(() => setLoaded(() => result));
      });
    });
    return () => {
      isStopped = true;
      clearTimeout(timer);
    };
  }, [load, isWanted]);
  return loaded;
}
