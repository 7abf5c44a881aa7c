/** Queries of the roster. */
import { accountRoutes } from '@haris/contract/http/accounts';
import type { Admin } from '@haris/contract/objects';
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../calls/http.ts';
import { pagedQuery } from '../../calls/paged.ts';
import { keys } from '../../calls/query-client.ts';

export const rosterKey = [keys.admins, 'roster'] as const;

interface RosterPage {
  readonly admins: readonly Admin[];
  readonly total: number;
  readonly nextCursor: string | null;
}
export type Roster = InfiniteData<RosterPage, string | null>;

/** Removes a deleted employee from the cached roster and its totals. */
export function withoutEmployee(roster: Roster, id: string): Roster {
  if (!roster.pages.some(({ admins }) => admins.some(({ _id }) => _id === id))) return roster;
  const pages = roster.pages.map((page) => ({
    ...page,
    admins: page.admins.filter(({ _id }) => _id !== id),
    total: page.total - 1,
  }));
  return { ...roster, pages };
}

/** Employees page by page. */
export function useEmployees(search: string) {
  return useInfiniteQuery(
    pagedQuery(
      [...rosterKey, search],
      (cursor, signal): Promise<RosterPage> =>
        call(accountRoutes.listAdmins, { query: { search, cursor }, signal }),
    ),
  );
}
