/** A mutex for one button, because a second tap can arrive before React has rendered the effect of the first. */
import { useMemo } from 'react';

export interface Lock {
  /** True for the first caller, false while the lock is held. */
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
