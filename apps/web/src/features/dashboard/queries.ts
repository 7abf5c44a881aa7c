/** What the dashboard reads: who is inside, and the families. */
import { PAGE_LIMIT_MAX } from '@haris/contract/constants';
import { accountRoutes } from '@haris/contract/http/accounts';
import { childRoutes } from '@haris/contract/http/children';
import type { Child, Parent } from '@haris/contract/objects';
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  usePrefetchInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { call } from '../../client/http.ts';
import { keys } from '../../client/query-client.ts';
import { sortByDue } from './children-cache.ts';

export const insideKey = [keys.children, 'inside'] as const;
export const familiesKey = [keys.parents, 'families'] as const;

/** More than a screen shows; the next page comes before its end is reached. */
const FAMILIES_AT_A_TIME = '20';

export interface FamiliesPage {
  parents: readonly Parent[];
  total: number;
  nextCursor: string | null;
}
export type Families = InfiniteData<FamiliesPage, string | null>;

/** All children inside, through as many pages as there are; those over time first, then by due time. */
async function fetchInside(signal: AbortSignal): Promise<readonly Child[]> {
  // By id: a child that moves between two pages while they are read must not stand in the list twice.
  const found = new Map<string, Child>();
  let cursor: string | null = null;
  do {
    const page: { children: Child[]; nextCursor: string | null } = await call(childRoutes.listChildren, {
      query: { inside: 'true', limit: String(PAGE_LIMIT_MAX), cursor },
      signal,
    });
    for (const child of page.children) found.set(child._id, child);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return sortByDue([...found.values()]);
}

/** The children in the monitored area. */
export function useChildrenInside() {
  return useQuery({ queryKey: insideKey, queryFn: ({ signal }) => fetchInside(signal) });
}

const familiesQuery = (search: string, isWaiting: boolean) =>
  infiniteQueryOptions({
    queryKey: [...familiesKey, search, isWaiting],
    queryFn: ({ pageParam, signal }): Promise<FamiliesPage> =>
      call(accountRoutes.listParents, {
        query: {
          search,
          cursor: pageParam,
          limit: FAMILIES_AT_A_TIME,
          ...(isWaiting ? { pending: 'true' as const } : {}),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });

/** Families page by page; `isWaiting`: only those with something that waits to be confirmed. While a new search is on its way the last one's result stays, so that nothing jumps. */
export function useFamilies(search: string, isWaiting: boolean) {
  return useInfiniteQuery({ ...familiesQuery(search, isWaiting), placeholderData: keepPreviousData });
}

/** Asks for the first families before the section that shows them is drawn. */
export function useFamiliesAtStart(): void {
  usePrefetchInfiniteQuery(familiesQuery('', false));
}

/** Parents to choose from while typing; the first 20 are enough, one types on. */
export function useParentChoices(search: string) {
  return useQuery({
    queryKey: [keys.parents, 'choices', search],
    queryFn: ({ signal }) => call(accountRoutes.listParents, { query: { search, limit: '20' }, signal }),
    placeholderData: keepPreviousData,
  });
}
