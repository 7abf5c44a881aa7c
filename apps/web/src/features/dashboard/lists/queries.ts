/** Queries of the dashboard: the children inside, and the families. */
import { PAGE_LIMIT_MAX } from '@haris/contract/constants';
import { accountRoutes } from '@haris/contract/http/accounts';
import { childRoutes } from '@haris/contract/http/children';
import { type FoundChild, type FoundParent, searchRoutes } from '@haris/contract/http/search';
import { sheetRoutes } from '@haris/contract/http/sheets';
import type { Child, Parent } from '@haris/contract/objects';
import {
  type InfiniteData,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  usePrefetchInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { call } from '../../../calls/http.ts';
import { pagedQuery, readAllPages, uniqueById } from '../../../calls/paged.ts';
import { keys } from '../../../calls/query-client.ts';
import { sortByDue } from './children-cache.ts';

export const insideKey = [keys.children, 'inside'] as const;
/** One child with its family; followed by the child's id. */
export const oneChildKey = [keys.children, 'one'] as const;
export const familiesKey = [keys.parents, 'families'] as const;

/** Page size: more than a screen shows. The next page is loaded before the list's end is reached. */
const FAMILIES_AT_A_TIME = '20';

export interface FamiliesPage {
  parents: readonly Parent[];
  total: number;
  nextCursor: string | null;
}
export type Families = InfiniteData<FamiliesPage, string | null>;

/** Fetches all children inside, page by page, and sorts them: over time first, then by due time. */
async function fetchInside(signal: AbortSignal): Promise<readonly Child[]> {
  const query = { inside: 'true', limit: String(PAGE_LIMIT_MAX) } as const;
  const pages = await readAllPages((cursor) =>
    call(childRoutes.listChildren, { query: { ...query, cursor }, signal }),
  );
  return sortByDue(uniqueById(pages.flatMap(({ children }) => children)));
}

export function useChildrenInside() {
  return useQuery({ queryKey: insideKey, queryFn: ({ signal }) => fetchInside(signal) });
}

/** True once one of the lists has a child or a family. */
export function useHasFamily(): boolean {
  const inside = useQuery({
    queryKey: insideKey,
    queryFn: ({ signal }) => fetchInside(signal),
    select: (children) => children.length > 0,
  });
  const families = useInfiniteQuery({
    ...familiesQuery('', false),
    select: ({ pages }) => pages.some(({ total }) => total > 0),
  });
  return inside.data === true || families.data === true;
}

const familiesQuery = (search: string, isWaiting: boolean) =>
  pagedQuery([...familiesKey, search, isWaiting], (cursor, signal): Promise<FamiliesPage> => {
    const pending = isWaiting ? { pending: 'true' as const } : {};
    return call(accountRoutes.listParents, {
      query: { search, cursor, limit: FAMILIES_AT_A_TIME, ...pending },
      signal,
    });
  });

/** Families page by page; with `isWaiting`, only those with a proposal. */
export function useFamilies(search: string, isWaiting: boolean) {
  return useInfiniteQuery(familiesQuery(search, isWaiting));
}

/** Prefetches the first page of families before its section renders. */
export function useFamiliesAtStart(): void {
  usePrefetchInfiniteQuery(familiesQuery('', false));
}

/** Results of a search over children and parents, best first. */
export interface FoundFamilies {
  readonly children: readonly FoundChild[];
  readonly parents: readonly FoundParent[];
}

/** Children and parents that match the input. The first 20 are enough, because typing more narrows them. */
export function useFamilySearch(search: string, isWanted = true) {
  return useQuery({
    queryKey: [keys.parents, 'search', search],
    queryFn: ({ signal }): Promise<FoundFamilies> =>
      call(searchRoutes.search, { query: { q: search, limit: '20' }, signal }),
    placeholderData: keepPreviousData,
    enabled: isWanted,
  });
}

/** One family with current data, by the parent's id. */
export function familyQuery(id: string) {
  return queryOptions({
    queryKey: [keys.parents, 'one', id],
    queryFn: ({ signal }) => call(sheetRoutes.getParent, { params: { id }, signal }),
  });
}
