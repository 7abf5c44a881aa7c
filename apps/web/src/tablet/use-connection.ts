/** Whether the tablet reaches the server. Offline it sends no requests and keeps none for later. */
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { type TabletCalls, tabletFailureOf } from './failure.ts';

/** How often the server is asked while nobody uses the tablet, unless it is asked more often, and while it cannot be reached. Milliseconds. */
const LOOK_MS = 20_000;
const RETRY_MS = 4_000;

/** `isIdle`: nobody uses the tablet. `lost` reports a call that failed. `everyMs`: how often it asks, in milliseconds. */
export function useConnection(
  calls: TabletCalls,
  isIdle: boolean,
  onUnpaired: () => void,
  everyMs = LOOK_MS,
): { isOffline: boolean; lost: () => void } {
  const [isOffline, setOffline] = useState(false);
  const tellUnpaired = useEffectEvent(onUnpaired);
  const isLooking = isIdle || isOffline;
  useEffect(() => {
    if (!isLooking) return;
    let isOver = false;
    const look = async () => {
      try {
        await calls.look();
        if (!isOver) setOffline(false);
      } catch (error) {
        if (isOver) return;
        const failure = tabletFailureOf(error);
        if (failure === 'unpaired') tellUnpaired();
        else setOffline(failure === 'offline');
      }
    };
    const onLook = () => void look();
    onLook();
    const timer = setInterval(onLook, isOffline ? RETRY_MS : everyMs);
    addEventListener('online', onLook);
    addEventListener('offline', onLook);
    return () => {
      isOver = true;
      clearInterval(timer);
      removeEventListener('online', onLook);
      removeEventListener('offline', onLook);
    };
  }, [calls, isLooking, isOffline, everyMs]);
  return { isOffline, lost: useCallback(() => setOffline(true), []) };
}
