/** Calls about visitors. */
import { visitorRoutes } from '@haris/contract/http/visitors';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../calls/http.ts';
import { pagedQuery } from '../calls/paged.ts';
import { keys } from '../calls/query-client.ts';

/** Visitors page by page, newest first. */
export function useVisitors(search: string, isInside: boolean) {
  return useInfiniteQuery(
    pagedQuery([keys.visitors, search, isInside], (cursor, signal) =>
      call(visitorRoutes.listVisitors, {
        query: { search, cursor, ...(isInside ? { inside: 'true' as const } : {}) },
        signal,
      }),
    ),
  );
}

export function useSignOutVisitor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(visitorRoutes.signOutVisitor, { params: { id } }),
    onSettled: () => void client.invalidateQueries({ queryKey: [keys.visitors] }),
  });
}
