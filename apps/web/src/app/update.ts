/** Page side of the service worker: registers it, checks for newer versions, and activates one on request. */
import { useSyncExternalStore } from 'react';
import type { Workbox } from 'workbox-window';
import { forgetOldDrafts, keepDrafts } from '../forms/drafts.ts';

/** Interval between checks, because a page at the desk stays open for days. Milliseconds. */
const LOOK_AGAIN_MS = 3_600_000;

/** An object, so that a test can count its reloads: a browser without windows has none. */
export const page = { reload: (): void => location.reload() };

let waiting: Workbox | null = null;
const listeners = new Set<() => void>();

function setWaiting(workbox: Workbox | null): void {
  waiting = workbox;
  for (const listener of listeners) listener();
}

/** True while a newer version waits for the person's decision. */
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

/** Activates the newer version and reloads the page. What is typed in forms comes back, as far as it can be kept. */
export function takeUpdate(): void {
  waiting?.addEventListener('controlling', () => {
    keepDrafts();
    page.reload();
  });
  waiting?.messageSkipWaiting();
}

/** Hides the banner; the next page load uses the newer version anyway. */
export function postponeUpdate(): void {
  setWaiting(null);
}

/**
 * Call after the page has loaded, because the worker must not compete with it. Does nothing without service workers.
 */
export async function watchForUpdates(): Promise<void> {
  forgetOldDrafts();
  if (!('serviceWorker' in navigator)) return;
  try {
    const { messageSW, Workbox } = await import('workbox-window');
    const workbox = new Workbox('/service-worker.js');
    workbox.addEventListener('waiting', async ({ sw }) => {
      if (sw === undefined) return;
      // If this page already runs the waiting version, activate the worker at once.
      const isMine = await messageSW(sw, { type: 'IS_VERSION_OF', script: import.meta.url });
      if (isMine === true) workbox.messageSkipWaiting();
      else setWaiting(workbox);
    });
    await workbox.register();
    setInterval(() => void workbox.update().catch(() => {}), LOOK_AGAIN_MS);
  } catch {
    // Service workers are forbidden or the network failed: the page works without a worker.
  }
}
