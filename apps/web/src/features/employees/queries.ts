/** What the roster reads. */
import { accountRoutes } from '@haris/contract/http/accounts';
import type { Admin } from '@haris/contract/objects';
import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../client/http.ts';
import { keys } from '../../client/query-client.ts';

export const rosterKey = [keys.admins, 'roster'] as const;

interface RosterPage {
  readonly admins: readonly Admin[];
  readonly total: number;
  readonly nextCursor: string | null;
}
export type Roster = InfiniteData<RosterPage, string | null>;

/** The roster without an employee who was deleted; each page names the new total. */
export function withoutEmployee(roster: Roster, id: string): Roster {
  if (!roster.pages.some(({ admins }) => admins.some(({ _id }) => _id === id))) return roster;
  const pages = roster.pages.map((page) => ({
    ...page,
    admins: page.admins.filter(({ _id }) => _id !== id),
    total: page.total - 1,
  }));
  return { ...roster, pages };
}

/** Employees page by page. While a new search is on its way the last one's result stays, so that nothing jumps. */
export function useEmployees(search: string) {
  return useInfiniteQuery({
    queryKey: [...rosterKey, search],
    queryFn: ({ pageParam, signal }): Promise<RosterPage> =>
      call(accountRoutes.listAdmins, { query: { search, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
}
