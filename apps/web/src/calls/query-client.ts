/** Creates TanStack Query's client: keys, lifetimes, retries. */
import { DATA_CACHE_MS } from '@haris/contract/constants';
import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/**
 * First element of every query key; live events invalidate by it (live/live-provider.tsx).
 * Write keys as `[keys.children, { inside: true, search }]`.
 */
export const keys = {
  config: 'config',
  session: 'session',
  /** Whether the desk has confirmed the account that this browser registered. */
  ownRegistration: 'own-registration',
  /** What a mailed link did; ends with the session. */
  verification: 'verification',
  children: 'children',
  /** The past stays of one child; no event makes them stale, because each read of them is recorded. */
  stays: 'stays',
  parents: 'parents',
  admins: 'admins',
  settings: 'settings',
  sensors: 'sensors',
  photo: 'photo',
  cameras: 'cameras',
  incidents: 'incidents',
  visitors: 'visitors',
  kiosks: 'kiosks',
  approvals: 'approvals',
  rooms: 'rooms',
  headCounts: 'head-counts',
  /** What desk tablets told later that does not fit. */
  deskConflicts: 'desk-conflicts',
  /** Who may pick up a child, and the family's pick-up code. */
  collectors: 'collectors',
  /** Who answers for a child, for staff; and what a parent was asked to become. */
  guardians: 'guardians',
  /** Who must not pick up a child; staff only. */
  barred: 'barred',
  /** Who took the family's children in the last day. */
  releases: 'releases',
  bookings: 'bookings',
  care: 'care',
  careLog: 'care-log',
} as const;

function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 'FETCH_ERROR' || error.code === 'TIMEOUT_ERROR' || error.status === 503;
}

/**
 * Unused data is kept 60 s (spec §9). Only transient failures are retried, twice. If a call is refused because a
 * permission is missing, the account is refetched, so that the page shows what the role includes now.
 */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof ApiError && error.code === 'forbidden') void refetchStale(client, [keys.session]);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        gcTime: DATA_CACHE_MS,
        staleTime: 15_000,
        // Without this, queries wait silently while offline instead of failing with a way to retry.
        networkMode: 'always',
        retry: (failures, error) => failures < 2 && isPassing(error),
        retryDelay: (failures) => Math.min(500 * 2 ** failures, 4000),
      },
      // What was sent may be a password, PIN, code or proof: it goes with the form that sent it, not minutes later.
      mutations: { networkMode: 'always', gcTime: 0 },
    },
  });
  return client;
}

/** Marks the queries below the given keys stale: mounted queries refetch at once, the others when they mount. */
export async function refetchStale(client: QueryClient, stale: readonly string[]): Promise<void> {
  // Null data means that this account lacks the identity; the server would refuse each request for it.
  const isStale = ({ queryKey, state }: Query) => stale.includes(String(queryKey[0])) && state.data !== null;
  // A first read is not begun again by the library, and its answer may be older than the change.
  const firstReads = new Set(
    client
      .getQueryCache()
      .findAll({ predicate: isStale, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined),
  );
  await client.invalidateQueries({ predicate: isStale });
  if (firstReads.size > 0)
    await client.invalidateQueries({ predicate: (query) => firstReads.has(query) && isStale(query) });
}
