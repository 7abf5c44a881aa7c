/**
 * Opens the whole web app at an address, as a browser does, with router, guards, providers, texts, data and events;
 * only the server is replaced.
 */
import { accountRoutes } from '@haris/contract/http/accounts';
import type { Admin, Parent } from '@haris/contract/objects';
import type { QueryClient } from '@tanstack/react-query';
import { getConfig, render } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { App } from '../app/app.tsx';
import { createRouter, type Router } from '../app/router.tsx';
import { createQueryClient } from '../calls/query-client.ts';
import { setToken } from '../calls/token-store.ts';
import { directionOf, followLanguage, startI18n } from '../i18n/i18n.ts';
import { resizeTo, type Size } from './browser.ts';
import { handle, refuse, server, setHouse, setStaff } from './contract-server.ts';
import { emptyHouse } from './empty-house.ts';
import { createEventStream, type EventStream } from './event-stream.ts';
import { createReadingsSocket, type ReadingsSocket } from './readings-socket.ts';

export type Account = { admin: Admin } | { parent: Parent };

export interface ScreenOptions {
  language?: 'en' | 'ar';
  /** The signed-in account; by default nobody. */
  as?: Account;
  size?: Size;
  /** Address visited before, so that Back has a target. */
  from?: string;
}

export interface Screen {
  user: UserEvent;
  events: EventStream;
  readings: ReadingsSocket;
  router: Router;
  /** Changes the account that the server returns. */
  be: (account: Account) => void;
  /** Closes the page before the test ends, so that another can be opened. */
  unmount: () => Promise<void>;
}

const TOKEN = 'token-of-the-page-test';

let page: { router: Router; client: QueryClient; unmount: () => void } | null = null;

/** Handlers for the signed-in account, and a function that changes it. */
function account(given: Account | undefined) {
  let known: Account | undefined;
  function be(next: Account | undefined) {
    known = next;
    setStaff(next && 'admin' in next ? next.admin : null);
  }
  be(given);
  return {
    handlers: [
      handle(accountRoutes.adminInfo, () => (known && 'admin' in known ? known : refuse('forbidden'))),
      handle(accountRoutes.parentInfo, () => (known && 'parent' in known ? known : refuse('forbidden'))),
    ],
    be,
  };
}

/** Opens a page at `path`. Register the test's own handlers with `server.use` first. */
export async function renderScreen(path: string, options: ScreenOptions = {}): Promise<Screen> {
  const { language = 'en', as, size = 'desk', from } = options;
  const events = createEventStream();
  const readings = createReadingsSocket();
  const { handlers, be } = account(as);
  setHouse([...handlers, ...emptyHouse(), events.handler]);
  server.use(readings.handler);
  resizeTo(size);
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
  await startI18n();
  await followLanguage(language);
  setToken(as === undefined ? null : TOKEN);
  history.replaceState(null, '', from ?? path);
  const router = createRouter();
  const client = createQueryClient();
  // Retries are immediate, because tests need no pauses.
  client.setDefaultOptions({
    ...client.getDefaultOptions(),
    queries: { ...client.getDefaultOptions().queries, retryDelay: 0 },
  });
  if (from !== undefined) await router.navigate(path);
  const { unmount } = render(<App router={router} client={client} />);
  page = { router, client, unmount };
  return { user: userEvent.setup(), events, readings, router, be, unmount: leavePage };
}

/** Turns of the event loop without a request after which nothing more is expected. */
const QUIET_TURNS = 12;

/** Waits until the page has finished all its reads. Import the screens' modules before, or they load later. */
export async function settle(): Promise<void> {
  await getConfig().asyncWrapper(async () => {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (page !== null && page.client.isFetching() + page.client.isMutating() > 0) quiet = 0;
    }
  });
}

/** Closes the page and signs out. */
export async function leavePage(): Promise<void> {
  if (page === null) return;
  const { router, client, unmount } = page;
  page = null;
  unmount();
  router.dispose();
  await client.cancelQueries();
  client.clear();
  setToken(null);
}
