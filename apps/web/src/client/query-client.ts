/** TanStack Query's client: keys, lifetimes, what is tried again. */
import { DATA_CACHE_MS } from '@haris/contract/constants';
import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/**
 * First element of every query key; live events invalidate by it (client/live-events.ts).
 * Write keys as `[keys.children, { inside: true, search }]`.
 */
export const keys = {
  config: 'config',
  session: 'session',
  children: 'children',
  parents: 'parents',
  admins: 'admins',
  settings: 'settings',
  sensors: 'sensors',
  photo: 'photo',
  cameras: 'cameras',
  incidents: 'incidents',
} as const;

function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 'FETCH_ERROR' || error.code === 'TIMEOUT_ERROR' || error.status === 503;
}

/** Unused data is kept 60 s (spec §9). Only passing failures are tried again, twice. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        gcTime: DATA_CACHE_MS,
        staleTime: 15_000,
        // Offline is an error to be shown with a way to retry, not a skeleton for ever.
        networkMode: 'always',
        retry: (failures, error) => failures < 2 && isPassing(error),
        retryDelay: (failures) => Math.min(500 * 2 ** failures, 4000),
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** What lies below these keys is stale: shown queries ask again at once, the others when they are shown. */
export async function refetchStale(client: QueryClient, stale: readonly string[]): Promise<void> {
  await client.invalidateQueries({
    // Null is the identity that this account does not have: asking for it each time would be refused each time.
    predicate: ({ queryKey, state }) => stale.includes(String(queryKey[0])) && state.data !== null,
  });
}
