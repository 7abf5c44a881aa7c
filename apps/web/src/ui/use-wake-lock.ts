/** Keeps the screen on, because a sleeping device sends nothing. */
import { useEffect, useState } from 'react';

/** `kept` while the browser holds the wake lock; `impossible` if it is unsupported or denied. */
export type WakeState = 'off' | 'kept' | 'impossible';

/** Browsers release the wake lock of a hidden page, so the hook requests it again when the page is visible. */
export function useWakeLock(wanted: boolean): WakeState {
  const [state, setState] = useState<WakeState>('off');
  useEffect(() => {
    if (!wanted) return;
    let isLeft = false;
    let held: WakeLockSentinel | null = null;
    const hold = async () => {
      if (document.visibilityState !== 'visible' || (held !== null && !held.released)) return;
      try {
        const lock = await navigator.wakeLock.request('screen');
        if (isLeft) return void lock.release();
        held = lock;
        setState('kept');
      } catch {
        // Unsupported, or the battery is low.
        if (!isLeft) setState('impossible');
      }
    };
    const again = () => void hold();
    again();
    document.addEventListener('visibilitychange', again);
    return () => {
      isLeft = true;
      document.removeEventListener('visibilitychange', again);
      void held?.release();
      setState('off');
    };
  }, [wanted]);
  return state;
}
