/**
 * The service worker: keeps the shell of the web app, so that it opens without a connection and can say so. It keeps
 * nothing else: no photo, no name, no token, no answer of a call.
 */
/// <reference lib="webworker" />
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching';

declare const self: ServiceWorkerGlobalScope;

/** Filled in by the build: the files of the shell. */
const shell = self.__WB_MANIFEST;

// Pages are not answered from the cache while there is a connection: an old page would ask for screens that are gone.
precacheAndRoute(shell, { directoryIndex: '', cleanURLs: false });
cleanupOutdatedCaches();

self.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      // The request for the page starts while the worker does.
      self.registration.navigationPreload?.enable(),
      // The page that fetched the first worker has one from then on: a newer one waits until the person lets it in.
      self.clients.claim(),
    ]),
  );
});

self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(openPage(event));
});

/** The server's answer, whatever it is; the kept page where there is no answer. */
async function openPage(event: FetchEvent): Promise<Response> {
  try {
    const preloaded: Response | undefined = await event.preloadResponse;
    return preloaded ?? (await fetch(event.request));
  } catch (error) {
    const { pathname } = new URL(event.request.url);
    const page = isScreen(pathname) ? await matchPrecache('/index.html') : undefined;
    if (page === undefined) throw error;
    return page;
  }
}

/** The server's own pages and files are no screens of ours. */
function isScreen(pathname: string): boolean {
  return !/^\/(api|vendor|assets|video_feed|ws|register-child|check-face|healthz|readyz)(\/|$)/.test(
    pathname,
  );
}

self.addEventListener('message', (event) => {
  const message: unknown = event.data;
  if (typeof message !== 'object' || message === null || !('type' in message)) return;
  if (message.type === 'SKIP_WAITING') void self.skipWaiting();
  if (message.type === 'IS_VERSION_OF' && 'script' in message) {
    const path = new URL(String(message.script)).pathname.slice(1);
    event.ports[0]?.postMessage(shell.some((entry) => typeof entry !== 'string' && entry.url === path));
  }
});
