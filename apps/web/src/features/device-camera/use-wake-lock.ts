/** Keeps the screen on: a device that sleeps sends nothing. */
import { useEffect, useState } from 'react';

/** `kept` while the browser holds the screen; `impossible` where it cannot or may not. */
export type WakeState = 'off' | 'kept' | 'impossible';

/** Browsers let go of the screen when the page is hidden: it is asked for again when it is back. */
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
        // No such thing in this browser, or the battery is low.
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
