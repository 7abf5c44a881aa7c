/** Who must not pick up a child, and who may, for staff with `barred.view`. */
import { barredRoutes } from '@haris/contract/http/barred';
import { useQuery } from '@tanstack/react-query';
import { call } from '../calls/http.ts';
import { keys } from '../calls/query-client.ts';

/** Reads it once and not again by itself: the audit log records each read. */
export function useBarred(childId: string) {
  return useQuery({
    queryKey: [keys.barred, childId],
    queryFn: ({ signal }) => call(barredRoutes.listBarred, { params: { id: childId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
