/**
 * Fails a test on any unexpected error of a page: console errors, uncaught exceptions, unhandled rejections, failed
 * requests, HTTP failures. Expected errors must occur.
 */
import { type BrowserContext, expect, type Page, type Request } from '@playwright/test';

interface ExpectedHttp {
  status: number;
  path: string | RegExp;
  /** Whether it must occur; errors of every page load need not. */
  required: boolean;
  /** Number of occurrences. */
  seen: number;
}

export interface Trap {
  /** Expects this HTTP failure, once or more. `path` has no query. */
  expectHttp(status: number, path: string | RegExp): void;
  /** Allows this HTTP failure, which a slow machine may cause and the page then recovers from. */
  allowHttp(status: number, path: string | RegExp): void;
  /** The same, but either in this page or in that of the other trap. */
  expectRefusedAtOneOf(other: Trap, status: number, path: RegExp): void;
  /** Shares an expectation with another trap. */
  share(expectation: ExpectedHttp): void;
  /** From now on requests may fail at the network, as when the server is down or the device offline. */
  expectOutage(): void;
  /** The test itself may block this request. */
  expectBlocked(url: RegExp): void;
  /** Fails with all unexpected errors and all expected ones that did not occur. */
  check(): void;
}

/** The page aborted the request itself: it was left, or it no longer needed the response. */
const GIVEN_UP = 'net::ERR_ABORTED';
const OUTAGE =
  /net::ERR_(CONNECTION_(REFUSED|RESET|CLOSED)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|SOCKET_NOT_CONNECTED|INTERNET_DISCONNECTED)/;
/** Chromium's only message when a check for a newer service worker fails; it contains no address. */
const ABOUT_WORKER = 'An unknown error occurred when fetching the script.';
/** A file that the page fetched through its service worker, which could not reach the server. */
const THROUGH_WORKER = { why: 'net::ERR_FAILED', path: /^\/assets\// };
/** Chromium's own line about a failed request; the request itself is caught below. */
const ABOUT_REQUEST = /^Failed to load resource:/;

/**
 * Tells which requests were sent with a token while the page signed out with it: the server may refuse them, whichever
 * of the two it reads first.
 */
function watchSignOuts(context: BrowserContext): (request: Request) => boolean {
  const leaving = new Set<string>();
  const left = new Set<string>();
  const early = new WeakSet<Request>();
  const tokenOf = (request: Request) => request.headers().authorization ?? '';
  const isSignOut = (request: Request) => new URL(request.url()).pathname === '/api/logout';
  context.on('request', (request) => {
    if (isSignOut(request)) leaving.add(tokenOf(request));
    if (!left.has(tokenOf(request))) early.add(request);
  });
  context.on('response', (response) => {
    if (isSignOut(response.request())) left.add(tokenOf(response.request()));
  });
  return (request) => leaving.has(tokenOf(request)) && early.has(request);
}

/** Whether the request failed because the server was down or the device offline. */
function isOutageOf(url: string, why: string): boolean {
  return OUTAGE.test(why) || (why === THROUGH_WORKER.why && THROUGH_WORKER.path.test(new URL(url).pathname));
}

export function setTrap(context: BrowserContext): Trap {
  const caught: string[] = [];
  const blocked: RegExp[] = [];
  let isOutage = false;
  // On page load a token is tried as both kinds of account (spec §4); the wrong kind gets 403.
  const expected: ExpectedHttp[] = ['/api/admin/info', '/api/parent/info'].map((path) => ({
    status: 403,
    path,
    required: false,
    seen: 0,
  }));

  const wasSentSigningOut = watchSignOuts(context);
  const watch = (page: Page) => {
    page.on('pageerror', (error) => caught.push(`uncaught: ${error.stack ?? error.message}`));
    page.on('crash', () => caught.push('the page crashed'));
  };
  context.on('page', watch);
  context.on('console', (message) => {
    if (message.type() !== 'error' || ABOUT_REQUEST.test(message.text())) return;
    if (blocked.some((url) => url.test(message.text()))) return;
    // A failed WebSocket appears only here: it causes no failed request event.
    if (isOutage && (OUTAGE.test(message.text()) || message.text() === ABOUT_WORKER)) return;
    caught.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    if (why === GIVEN_UP || (isOutage && isOutageOf(request.url(), why))) return;
    if (blocked.some((url) => url.test(request.url()))) return;
    caught.push(`request: ${request.method()} ${request.url()} ${why}`);
  });
  context.on('response', (response) => {
    if (response.status() < 400) return;
    if (response.status() === 401 && wasSentSigningOut(response.request())) return;
    const { pathname } = new URL(response.url());
    const known = expected.filter(
      ({ status, path }) =>
        status === response.status() && (typeof path === 'string' ? path === pathname : path.test(pathname)),
    );
    if (known.length === 0)
      caught.push(`HTTP: ${response.request().method()} ${pathname} ${response.status()}`);
    for (const expectation of known) expectation.seen++;
  });

  return {
    expectHttp: (status, path) => expected.push({ status, path, required: true, seen: 0 }),
    allowHttp: (status, path) => expected.push({ status, path, required: false, seen: 0 }),
    expectRefusedAtOneOf(other, status, path) {
      const expectation = { status, path, required: true, seen: 0 };
      expected.push(expectation);
      other.share(expectation);
    },
    share: (expectation) => expected.push(expectation),
    expectOutage() {
      isOutage = true;
    },
    expectBlocked: (url) => blocked.push(url),
    check() {
      const missing = expected
        .filter(({ required, seen }) => required && seen === 0)
        .map(({ status, path }) => `expected but not seen: ${status} of ${path}`);
      expect([...caught, ...missing], 'what went wrong in the page').toEqual([]);
    },
  };
}
