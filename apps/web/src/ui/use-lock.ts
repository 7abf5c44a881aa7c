/** One at a time: a double tap comes before React has shown that the first tap did something. */
import { useMemo } from 'react';

export interface Lock {
  /** True for the first, false for whoever comes while it is held. */
  take: () => boolean;
  release: () => void;
}

/** `if (!lock.take()) return; mutate(values, { onSettled: lock.release })`. */
export function useLock(): Lock {
  return useMemo(() => {
    let isHeld = false;
    return {
      take: () => {
        if (isHeld) return false;
        isHeld = true;
        return true;
      },
      release: () => {
        isHeld = false;
      },
    };
  }, []);
}
