/** Alarms come when somebody is signed in, and not with the first load. */
import { type ComponentType, startTransition, useEffect, useState } from 'react';
import { useSession } from '../client/session.tsx';
import { loadTexts } from '../i18n/i18n.ts';

/** How long to wait before code that could not be fetched is asked for again, in milliseconds. */
const LOAD_PAUSE_MS = 5000;

async function loadAlarms(): Promise<ComponentType> {
  const [alarms] = await Promise.all([
    import('./alarms.tsx'),
    import('../ui/library-styles.ts'),
    loadTexts(['incidents']),
  ]);
  return alarms.default;
}

/** Asks again until it comes: a page without alarms must not stay so because of one failed request. */
export function AlarmsOfSession() {
  const { admin, parent } = useSession();
  const isSignedIn = admin.isAuthenticated || parent.isAuthenticated;
  const [Alarms, setAlarms] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (!isSignedIn) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStopped = false;
    const load = () =>
      loadAlarms().then(
        (loaded) => !isStopped && startTransition(() => setAlarms(() => loaded)),
        () => {
          if (!isStopped) timer = setTimeout(load, LOAD_PAUSE_MS);
        },
      );
    void load();
    return () => {
      isStopped = true;
      clearTimeout(timer);
    };
  }, [isSignedIn]);
  return isSignedIn && Alarms !== null ? <Alarms /> : null;
}
