/**
 * The service worker: stores the shell of the web app and the code of the screens that were used, so that the app
 * opens without a connection and can say so. It stores no photos, names, tokens or responses of calls.
 */
/// <reference lib="webworker" />
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching';
import { type PushNotification, pathOf, readPushNotification } from './push-notification.ts';

declare const self: ServiceWorkerGlobalScope;

/** List of the shell's files, filled in by the build. */
const shell = self.__WB_MANIFEST;
const shellPaths = new Set(shell.map((entry) => `/${typeof entry === 'string' ? entry : entry.url}`));

/** Cache of the files that screens have loaded. */
const USED = 'haris-used';

// While there is a connection, pages come from the server: an old page would request screens that no longer exist.
precacheAndRoute(shell, { directoryIndex: '', cleanURLs: false });
cleanupOutdatedCaches();

self.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      // Files of the version before.
      caches.delete(USED),
      // The browser requests the page while the worker starts.
      self.registration.navigationPreload?.enable(),
      // The page that installed the first worker uses it from now on; a newer worker waits for the person's consent.
      self.clients.claim(),
    ]),
  );
});

self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(openPage(event));
  // The library answers requests for files of the shell.
  else if (isUsedFile(event.request)) event.respondWith(readFile(event));
});

/** Whether the request is for code, styles, texts or fonts of a screen. */
function isUsedFile({ url, method }: Request): boolean {
  const { origin, pathname } = new URL(url);
  const isAsset = /^\/assets\/[^/]+\.(js|css|woff2)$/.test(pathname);
  return method === 'GET' && origin === self.location.origin && isAsset && !shellPaths.has(pathname);
}

/** Returns the stored file, else the server's, which is stored. The hash in a file's name identifies its content. */
async function readFile(event: FetchEvent): Promise<Response> {
  const used = await caches.open(USED);
  const stored = await used.match(event.request, { ignoreVary: true });
  if (stored !== undefined) return stored;
  const response = await fetch(event.request);
  if (response.ok) {
    const copy = response.clone();
    // Without space nothing is stored, and the next request goes to the server.
    event.waitUntil(used.put(event.request, copy).catch(() => {}));
  }
  return response;
}

/** Returns the server's response, whatever its status; the stored page if there is no response. */
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

/** Pages and files of the server itself are not screens. */
function isScreen(pathname: string): boolean {
  return !/^\/(api|vendor|assets|video_feed|ws|register-child|check-face|healthz|readyz)(\/|$)/.test(
    pathname,
  );
}

self.addEventListener('push', (event) => {
  const notification = readPushNotification(event.data?.text() ?? '', self.location.origin);
  if (notification !== null) event.waitUntil(showNotification(notification));
});

/** Shows the notification, then returns its receipt, if any, to the server. */
async function showNotification({
  title,
  body,
  tag,
  url,
  lang,
  dir,
  receipt,
}: PushNotification): Promise<void> {
  const options = { body, tag, lang, dir, renotify: true, icon: '/icons/icon-192.png', data: { url } };
  await self.registration.showNotification(title, options);
  if (receipt === null) return;
  await fetch('/api/notices/receipts', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ receipt }),
    credentials: 'omit',
  }).catch(() => {
    // The notification is on the screen anyway; the test page lists it as sent.
  });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const kept: unknown = event.notification.data;
  const url = typeof kept === 'object' && kept !== null && 'url' in kept ? kept.url : null;
  event.waitUntil(openScreen(pathOf(url, self.location.origin)));
});

/** Shows the screen in an open window, or in a new one. */
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
