/** Queries of what desk tablets told later that does not fit: the list, and the number that the dashboard shows. */
import { deskConflictRoutes } from '@haris/contract/http/desk-conflicts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from '../calls/http.ts';
import { pagedQuery } from '../calls/paged.ts';
import { keys } from '../calls/query-client.ts';
import { useMay } from '../session/may.ts';

export type ConflictState = 'open' | 'settled';

/** Page by page: open ones oldest first, settled ones newest first. */
export function useDeskConflicts(state: ConflictState) {
  return useInfiniteQuery(
    pagedQuery([keys.deskConflicts, 'list', state], (cursor, signal) =>
      call(deskConflictRoutes.listDeskConflicts, { query: { state, cursor }, signal }),
    ),
  );
}

/** How many wait to be settled; undefined until that is known, and for staff who may not settle them. */
export function useOpenConflictCount(): number | undefined {
  const maySettle = useMay()('children.check_in');
  const { data } = useQuery({
    queryKey: [keys.deskConflicts, 'count'],
    queryFn: async ({ signal }) =>
      (await call(deskConflictRoutes.listDeskConflicts, { query: { limit: '1' }, signal })).total,
    enabled: maySettle,
  });
  return maySettle ? data : undefined;
}
