/** Calls of head counts, and the children inside, for whoever may see them. */
import { PAGE_LIMIT_MAX } from '@haris/contract/constants';
import { childRoutes } from '@haris/contract/http/children';
import { type HeadCount, headCountRoutes } from '@haris/contract/http/head-counts';
import type { Child } from '@haris/contract/objects';
import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { readAllPages, uniqueById } from '../../calls/paged.ts';
import { keys } from '../../calls/query-client.ts';
import { useMay } from '../../session/may.ts';

const oneKey = (id: string) => [keys.headCounts, 'one', id] as const;

/** The counts that go on. */
export function useHeadCounts() {
  return useQuery({
    queryKey: [keys.headCounts, 'list'],
    queryFn: async ({ signal }): Promise<readonly HeadCount[]> =>
      (await call(headCountRoutes.listHeadCounts, { signal })).headCounts,
  });
}

export function useHeadCount(id: string) {
  return useQuery({
    queryKey: oneKey(id),
    queryFn: async ({ signal }): Promise<HeadCount> =>
      (await call(headCountRoutes.getHeadCount, { params: { id }, signal })).headCount,
  });
}

/** All children inside, by name. Never loads for people who may not see them. */
export function useInside() {
  const may = useMay();
  return useQuery({
    queryKey: [keys.children, 'to count'],
    queryFn: async ({ signal }): Promise<readonly Child[]> => {
      const query = { inside: 'true', limit: String(PAGE_LIMIT_MAX) } as const;
      const pages = await readAllPages((cursor) =>
        call(childRoutes.listChildren, { query: { ...query, cursor }, signal }),
      );
      const children = uniqueById(pages.flatMap((page) => page.children));
      return children.toSorted((a, b) => a.name.localeCompare(b.name));
    },
    enabled: may('families.view'),
  });
}

type StartInput = z.input<typeof headCountRoutes.startHeadCount.body>;

/** Starts a count, or finds the same one that a colleague has started. */
export function useStartHeadCount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: StartInput) => call(headCountRoutes.startHeadCount, { body }),
    onSuccess: ({ headCount }) => client.setQueryData(oneKey(headCount._id), headCount),
    onError: (error) => showFailure(error),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: [keys.headCounts, 'list'] });
      void client.invalidateQueries({ queryKey: [keys.rooms] });
    },
  });
}

export type Word = 'here' | 'stays' | 'open';

interface Tick {
  readonly childId: string;
  readonly state: Word;
}

const tickKey = (id: string) => ['tick', id] as const;

/** What this device has said and the server has not confirmed, by the child's id. */
export function usePressed(id: string): ReadonlyMap<string, Word> {
  const sent = useMutationState({
    filters: { mutationKey: tickKey(id), status: 'pending' },
    select: ({ state }) => state.variables as Tick | undefined,
  });
  return new Map(sent.flatMap((one) => (one === undefined ? [] : [[one.childId, one.state] as const])));
}

/**
 * Says of a child where it is. Words about one child are sent in their order, because the last one counts; others do not wait for them.
 * An answer changes the row of this child alone: of two quick ticks, the first may answer last. The list is read again in any case.
 */
export function useTick(id: string, childId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: tickKey(id),
    scope: { id: `tick ${id} ${childId}` },
    mutationFn: ({ state }: Tick) =>
      call(headCountRoutes.tickHeadCount, { params: { id, childId }, body: { state } }),
    onSuccess: ({ headCount }) => {
      const told = headCount.children.find((child) => child.childId === childId);
      client.setQueryData(oneKey(id), (known: HeadCount | undefined): HeadCount | undefined =>
        known === undefined || told === undefined
          ? known
          : {
              ...known,
              children: known.children.some((child) => child.childId === childId)
                ? known.children.map((child) => (child.childId === childId ? told : child))
                : [...known.children, told],
            },
      );
    },
    onError: (error) => showFailure(error),
    // Not awaited: the next word about the child does not wait for the list.
    onSettled: () => void client.invalidateQueries({ queryKey: [keys.headCounts] }),
  });
}

type EndInput = z.input<typeof headCountRoutes.endHeadCount.body>;

export function useEndHeadCount(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: EndInput) => call(headCountRoutes.endHeadCount, { params: { id }, body }),
    onSuccess: ({ headCount }) => client.setQueryData(oneKey(id), headCount),
    onError: (error) => showFailure(error),
    onSettled: () => {
      for (const key of [keys.headCounts, keys.rooms, keys.children, keys.incidents])
        void client.invalidateQueries({ queryKey: [key] });
    },
  });
}
