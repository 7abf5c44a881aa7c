/** Loads a part of the page that must also open after a reload without a connection. */
import { useEffect, useState } from 'react';
import { useSession } from '../session/session.tsx';
import { loadAgain, useLoaded } from '../ui/load-again.ts';
import { whenIdle } from '../ui/when-idle.ts';

/** The first screen comes first. Milliseconds. */
const IDLE_AT_MOST_MS = 5_000;

interface KeptPart<T> {
  /** Must be stable across renders. */
  load: () => Promise<T>;
  /** Whether this device holds what the part shows. */
  hasKept: () => boolean;
  /** Whether the account may need the part. It is then loaded early, so that the service worker has stored its code. */
  isNeeded: boolean;
}

/** Returns the part while the server cannot be reached and the device holds something to show, else null. */
export function useKeptPart<T>({ load, hasKept, isNeeded }: KeptPart<T>): T | null {
  const { problem, isLoading } = useSession();
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    if (problem !== null) setWanted(hasKept());
  }, [problem, hasKept]);
  useEffect(() => {
    if (!isNeeded) return;
    let isStopped = false;
    const cancel = whenIdle(() => void loadAgain(load, () => isStopped), IDLE_AT_MOST_MS);
    return () => {
      isStopped = true;
      cancel();
    };
  }, [load, isNeeded]);
  const part = useLoaded(load, isWanted);
  // Also while the session is asked for again; not once the account is known or refused.
  return isWanted && (problem !== null || isLoading) ? part : null;
}
