/**
 * Whatever goes wrong in a page and is not expected fails the test: console errors, uncaught exceptions, unhandled
 * rejections, failed requests, HTTP failures. What is expected has to happen, too.
 */
import { type BrowserContext, expect, type Page } from '@playwright/test';

interface ExpectedHttp {
  status: number;
  path: string | RegExp;
  /** It has to happen; what is part of every page load does not. */
  required: boolean;
  /** How often it happened. */
  seen: number;
}

export interface Trap {
  /** This HTTP failure has to happen, and may happen more than once. `path` has no query. */
  expectHttp(status: number, path: string | RegExp): void;
  /** The same, in this page or in the other one's. */
  expectRefusedAtOneOf(other: Trap, status: number, path: RegExp): void;
  /** Shares an expectation with this trap. */
  share(expectation: ExpectedHttp): void;
  /** From now on requests may fail at the network, as they do while the server is down or the device is offline. */
  expectOutage(): void;
  /** This request may be refused by the test itself. */
  expectBlocked(url: RegExp): void;
  /** Fails with everything that was caught and everything that was expected and did not come. */
  check(): void;
}

/** The page gave up the request itself: it was left, or the answer was no longer wanted. */
const GIVEN_UP = 'net::ERR_ABORTED';
const OUTAGE =
  /net::ERR_(CONNECTION_(REFUSED|RESET|CLOSED)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|SOCKET_NOT_CONNECTED|INTERNET_DISCONNECTED)/;
/** Chromium's only word about a service worker whose newer version could not be asked for: it names no address. */
const ABOUT_WORKER = 'An unknown error occurred when fetching the script.';
/** Chromium's own line about a failed request; the request itself is caught below. */
const ABOUT_REQUEST = /^Failed to load resource:/;

export function setTrap(context: BrowserContext): Trap {
  const caught: string[] = [];
  const blocked: RegExp[] = [];
  let isOutage = false;
  // A token is tried as both kinds of account when a page loads (spec §4): the one it is not answers 403.
  const expected: ExpectedHttp[] = ['/api/admin/info', '/api/parent/info'].map((path) => ({
    status: 403,
    path,
    required: false,
    seen: 0,
  }));

  const watch = (page: Page) => {
    page.on('pageerror', (error) => caught.push(`uncaught: ${error.stack ?? error.message}`));
    page.on('crash', () => caught.push('the page crashed'));
  };
  context.on('page', watch);
  context.on('console', (message) => {
    if (message.type() !== 'error' || ABOUT_REQUEST.test(message.text())) return;
    if (blocked.some((url) => url.test(message.text()))) return;
    // A socket that cannot be opened is told of here alone: it makes no request that fails.
    if (isOutage && (OUTAGE.test(message.text()) || message.text() === ABOUT_WORKER)) return;
    caught.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    if (why === GIVEN_UP || (isOutage && OUTAGE.test(why))) return;
    if (blocked.some((url) => url.test(request.url()))) return;
    caught.push(`request: ${request.method()} ${request.url()} ${why}`);
  });
  context.on('response', (response) => {
    if (response.status() < 400) return;
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
