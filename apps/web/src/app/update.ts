/** The service worker from the page's side: registers it, looks for newer versions, lets a person take one. */
import { useSyncExternalStore } from 'react';
import type { Workbox } from 'workbox-window';

/** A desk's page stays open for days. */
const LOOK_AGAIN_MS = 3_600_000;

let waiting: Workbox | null = null;
const listeners = new Set<() => void>();

function setWaiting(workbox: Workbox | null): void {
  waiting = workbox;
  for (const listener of listeners) listener();
}

/** True while a newer version waits for the person. */
export function useUpdateReady(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    () => waiting !== null,
  );
}

/** The newer version takes over and the page is loaded anew. */
export function takeUpdate(): void {
  waiting?.addEventListener('controlling', () => location.reload());
  waiting?.messageSkipWaiting();
}

/** The notice goes; the next load of the page has the newer version anyway. */
export function postponeUpdate(): void {
  setWaiting(null);
}

/** After the page is there: the worker must not compete with it. Without service workers nothing happens. */
export async function watchForUpdates(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  try {
    const { messageSW, Workbox } = await import('workbox-window');
    const workbox = new Workbox('/service-worker.js');
    workbox.addEventListener('waiting', async ({ sw }) => {
      if (sw === undefined) return;
      // A page that has been loaded since is newer than the worker that waited for it.
      const isMine = await messageSW(sw, { type: 'IS_VERSION_OF', script: import.meta.url });
      if (isMine === true) workbox.messageSkipWaiting();
      else setWaiting(workbox);
    });
    await workbox.register();
    setInterval(() => void workbox.update().catch(() => {}), LOOK_AGAIN_MS);
  } catch {
    // Forbidden, or the network went: the page works without it.
  }
}
