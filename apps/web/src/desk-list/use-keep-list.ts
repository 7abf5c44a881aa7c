/** Keeps the list of a desk tablet up to date, and sends what the tablet wrote, while a page of it is open. */
import type { HarisEvent } from '@haris/contract/live/events';
import { useCallback, useEffect, useRef } from 'react';
import { resumeClock } from '../desk-entries/desk-clock.ts';
import { endPause, SEND_MS, sendEntries } from '../desk-entries/send-entries.ts';
import { useLiveEvents } from '../live/live-provider.tsx';
import { checkList, refreshList } from './kept-list.ts';

/** While nobody is signed in there are no events. Milliseconds. */
const REFRESH_MS = 30_000;
/** After an event the tablet waits for those that belong to it. Milliseconds. */
const AFTER_EVENT_MS = 2_000;

/** What can change the list; where a child was seen does not, and that event comes all the time. */
const CHANGES = /^(child\.(?!seen$)|parent\.|proposal\.|guardian\.|room\.|settings\.)/;

/** `deskToken`: of this tablet's pairing. */
export function useKeepList(deskToken: string): void {
  const soon = useRef<ReturnType<typeof setTimeout>>(undefined);
  const refresh = useCallback(() => {
    soon.current = undefined;
    void refreshList(deskToken);
  }, [deskToken]);
  useEffect(() => {
    void checkList().then(refresh);
    // Also without a connection: the list has an end.
    const timer = setInterval(() => void checkList().then(refresh), REFRESH_MS);
    return () => {
      clearInterval(timer);
      clearTimeout(soon.current);
      soon.current = undefined;
    };
  }, [refresh]);
  useEffect(() => {
    void resumeClock();
    // Also where no list is kept any more: what was written must arrive.
    const send = () =>
      void sendEntries(deskToken).then((hasNews) => {
        if (hasNews) refresh();
      });
    const sendNow = () => {
      endPause();
      send();
    };
    // Whatever failed before: the tablet was just taken over or handed over, or its page was opened.
    sendNow();
    const timer = setInterval(send, SEND_MS);
    addEventListener('online', sendNow);
    return () => {
      clearInterval(timer);
      removeEventListener('online', sendNow);
    };
  }, [deskToken, refresh]);
  useLiveEvents(
    useCallback(
      ({ type }: HarisEvent) => {
        if (CHANGES.test(type)) soon.current ??= setTimeout(refresh, AFTER_EVENT_MS);
      },
      [refresh],
    ),
  );
}
