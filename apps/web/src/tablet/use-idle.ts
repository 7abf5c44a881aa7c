/** Detects that nobody has touched a tablet for some time. */
import { useEffect, useEffectEvent, useState } from 'react';

/** After this time without a touch the tablet forgets what is on its screen, after a last warning. Milliseconds. */
const IDLE_MS = 25_000;
const WARNING_MS = 10_000;
const SECOND_MS = 1_000;

const TOUCHES = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const;

/**
 * Calls `onIdle` after {@link IDLE_MS} without a touch, and at once when the page is hidden. Returns the seconds left
 * while there is a warning; null before it. `active` false stops counting.
 */
export function useIdle(active: boolean, onIdle: () => void): number | null {
  const [left, setLeft] = useState<number | null>(null);
  const tell = useEffectEvent(onIdle);
  useEffect(() => {
    if (!active) return;
    let until = Date.now() + IDLE_MS;
    const onTouch = () => {
      until = Date.now() + IDLE_MS;
      setLeft(null);
    };
    const onTick = () => {
      const rest = until - Date.now();
      // A clock that was set forward or back ends the visit too.
      if (rest <= 0 || rest > IDLE_MS) tell();
      else setLeft(rest <= WARNING_MS ? Math.ceil(rest / SECOND_MS) : null);
    };
    const onHide = () => {
      if (document.visibilityState === 'hidden') tell();
    };
    for (const type of TOUCHES) addEventListener(type, onTouch, { capture: true, passive: true });
    document.addEventListener('visibilitychange', onHide);
    addEventListener('pagehide', tell);
    const timer = setInterval(onTick, SECOND_MS);
    return () => {
      for (const type of TOUCHES) removeEventListener(type, onTouch, { capture: true });
      document.removeEventListener('visibilitychange', onHide);
      removeEventListener('pagehide', tell);
      clearInterval(timer);
      setLeft(null);
    };
  }, [active]);
  return left;
}
