/** Reads lists of the contract page by page: the `nextCursor` of a page is the cursor of the next page. */
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';

interface Page {
  readonly nextCursor: string | null;
}

/**
 * Options for `useInfiniteQuery`. While a changed query loads, the old result stays visible, so that nothing jumps.
 * `read` gets the cursor of the page, null for the first page.
 */
export function pagedQuery<P extends Page, const K extends readonly unknown[]>(
  queryKey: K,
  read: (cursor: string | null, signal: AbortSignal) => Promise<P>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
}

/** Reads all pages, one call after the other; makes at least one call. */
export async function readAllPages<P extends Page>(
  read: (cursor: string | null) => Promise<P>,
): Promise<[P, ...P[]]> {
  const first = await read(null);
  const pages: [P, ...P[]] = [first];
  for (let cursor = first.nextCursor; cursor !== null; ) {
    const page = await read(cursor);
    pages.push(page);
    cursor = page.nextCursor;
  }
  return pages;
}

/**
 * Removes duplicates and keeps the last version of each item: an item that moves between two pages during reading is in
 * both.
 */
export function uniqueById<T extends { readonly _id: string }>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item._id, item])).values()];
}
