/** Reads who may pick up a child besides the parent, and keeps every list of them fresh. */
import { collectorRoutes } from '@haris/contract/http/collectors';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { call } from '../calls/http.ts';
import { keys, refetchStale } from '../calls/query-client.ts';

/** The collectors of a child that have not ended, kept up to date. */
export function useCollectors(childId: string) {
  return useQuery({
    queryKey: [keys.collectors, childId],
    queryFn: async ({ signal }) =>
      (await call(collectorRoutes.listCollectors, { params: { id: childId }, signal })).collectors,
  });
}

/** After a change of a collector or a pass. */
export function refreshCollectors(client: QueryClient): Promise<void> {
  return refetchStale(client, [keys.collectors]);
}
