/** Ends a person's time at a desk tablet: counts down without a press, and reports presses to the server. */
import { deskRoutes } from '@haris/contract/http/desk';
import { useEffect, useEffectEvent, useState } from 'react';
import { call } from '../../calls/http.ts';

/** Presses are reported at most this often. Milliseconds. */
const REPORT_MS = 5_000;
/** The countdown is shown for the last part of the time. Milliseconds. */
const WARNING_MS = 30_000;
const SECOND_MS = 1_000;

const PRESSES = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const;

/** Calls `onIdle` after `idleMs` without a press. Returns the seconds left while few are; null before that. */
export function useDeskLock(idleMs: number, onIdle: () => void): number | null {
  const [left, setLeft] = useState<number | null>(null);
  const tell = useEffectEvent(onIdle);
  useEffect(() => {
    let until = Date.now() + idleMs;
    let reportedAt = Date.now();
    let report: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const send = () => {
      report = undefined;
      reportedAt = Date.now();
      // The next press is reported again; a session that has ended is noticed by every other call as well.
      void call(deskRoutes.pressSession).catch(() => {});
    };
    const end = () => {
      isOver = true;
      tell();
    };
    const onPress = () => {
      if (isOver) return;
      // After a sleep of the device a press may come before the tick: it is too late all the same.
      if (Date.now() >= until) return end();
      until = Date.now() + idleMs;
      setLeft(null);
      // Later than the press rather than earlier: the server must not end the session before this page does.
      report ??= setTimeout(send, Math.max(0, reportedAt + REPORT_MS - Date.now()));
    };
    const onTick = () => {
      const rest = until - Date.now();
      if (isOver) return;
      // A clock that was set forward or back ends the time too.
      if (rest <= 0 || rest > idleMs) end();
      else setLeft(rest <= WARNING_MS ? Math.ceil(rest / SECOND_MS) : null);
    };
    for (const type of PRESSES) addEventListener(type, onPress, { capture: true, passive: true });
    document.addEventListener('visibilitychange', onTick);
    const timer = setInterval(onTick, SECOND_MS);
    return () => {
      isOver = true;
      for (const type of PRESSES) removeEventListener(type, onPress, { capture: true });
      document.removeEventListener('visibilitychange', onTick);
      clearInterval(timer);
      clearTimeout(report);
    };
  }, [idleMs]);
  return left;
}
