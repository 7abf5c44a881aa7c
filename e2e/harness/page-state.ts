/** What a page was doing when its test failed: whether it is drawn, and which answers it waits for. Knows no screen. */
import type { Page, Request } from '@playwright/test';

/** A page whose own code never rests answers nothing. */
const ANSWER_WITHIN_MS = 5_000;
const LOOK = `new Promise((resolve) => {
  let frames = 0;
  const count = () => { frames++; requestAnimationFrame(count); };
  requestAnimationFrame(count);
  setTimeout(() => resolve(
    document.readyState + ', ' + document.visibilityState + ', ' + frames + ' frames in a second; ' +
    'worker: ' + (navigator.serviceWorker?.controller?.state ?? 'none') + '; style sheets that wait: ' +
    ([...document.querySelectorAll('link[rel=stylesheet]')].filter((link) => link.sheet === null).map((link) => link.href).join(' ') || 'none')
  ), 1000);
})`;

/** Watches the requests of a page. The returned function says in a few lines what it does and waits for. */
export function watchPage(page: Page): () => Promise<string> {
  const waiting = new Map<Request, number>();
  page.on('request', (request) => waiting.set(request, Date.now()));
  const end = (request: Request) => waiting.delete(request);
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return async () => {
    if (page.isClosed()) return `${page.url()}: closed`;
    const late = new Promise<string>((resolve) => {
      setTimeout(() => resolve('it does not answer'), ANSWER_WITHIN_MS);
    });
    const look = page.evaluate<string>(LOOK).catch((error: unknown) => String(error));
    const requests = [...waiting].map(
      ([request, since]) => `  waits for ${request.method()} ${request.url()}, ${Date.now() - since} ms`,
    );
    return [`${page.url()}: ${await Promise.race([look, late])}`, ...requests].join('\n');
  };
}
