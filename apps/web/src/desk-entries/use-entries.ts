/** What this desk tablet wrote without a connection, for its screens. */
import { useCallback, useState, useSyncExternalStore } from 'react';
import { createEntry, type OfflineCheckIn, type WrittenSlip } from './entries.ts';
import { subscribeWritten, type WaitingEntries, writtenNow } from './written.ts';

export type { WrittenSlip } from './entries.ts';
export type { WrittenEntry } from './written.ts';

/** What was written since the list, and how much of it waits for the server. The same object while nothing changes. */
export function useWaitingEntries(): WaitingEntries {
  return useSyncExternalStore(subscribeWritten, writtenNow);
}

/** `checkIn` resolves once the check-in is on disk, and throws `EntryError` if it is not. */
export function useCheckInOffline(): {
  isBusy: boolean;
  checkIn: (wanted: OfflineCheckIn) => Promise<WrittenSlip>;
} {
  // A second press is refused at once, and must not say that the first one is over.
  const [running, setRunning] = useState(0);
  const checkIn = useCallback(async (wanted: OfflineCheckIn) => {
    setRunning((number) => number + 1);
    try {
      return await createEntry(wanted);
    } finally {
      setRunning((number) => number - 1);
    }
  }, []);
  return { isBusy: running > 0, checkIn };
}
