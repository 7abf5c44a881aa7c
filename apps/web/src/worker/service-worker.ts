/**
 * The service worker: keeps the shell of the web app, so that it opens without a connection and can say so. It keeps
 * nothing else: no photo, no name, no token, no answer of a call.
 */
/// <reference lib="webworker" />
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching';
import { type PushNotice, pathOf, readPushNotice } from './push-notice.ts';

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

self.addEventListener('push', (event) => {
  const notice = readPushNotice(event.data?.text() ?? '', self.location.origin);
  if (notice !== null) event.waitUntil(showNotice(notice));
});

/** On the screen first; then the server hears that it is there, if it wants to. */
async function showNotice({ title, body, tag, url, lang, dir, receipt }: PushNotice): Promise<void> {
  const options = { body, tag, lang, dir, renotify: true, icon: '/icons/icon-192.png', data: { url } };
  await self.registration.showNotification(title, options);
  if (receipt === null) return;
  await fetch('/api/notices/receipts', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ receipt }),
    credentials: 'omit',
  }).catch(() => {
    // It is on the screen all the same; the test page says that it was sent.
  });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const kept: unknown = event.notification.data;
  const url = typeof kept === 'object' && kept !== null && 'url' in kept ? kept.url : null;
  event.waitUntil(openScreen(pathOf(url, self.location.origin)));
});

/** In the window that is open already, or in a new one. */
async function openScreen(path: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: false });
  const [open] = windows;
  if (open === undefined) {
    await self.clients.openWindow(path);
    return;
  }
  await open.focus();
  if (new URL(open.url).pathname !== path) await open.navigate(path);
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
