/** The children of the signed-in parent: those of the own family, and those whose further guardian the parent is (decision 049). */
import { PAGE_LIMIT_MAX } from '@haris/contract/constants';
import { childRoutes } from '@haris/contract/http/children';
import type { Child } from '@haris/contract/objects';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../calls/http.ts';
import { keys } from '../calls/query-client.ts';
import { useParent } from '../session/session.tsx';

const NONE: readonly Child[] = [];

export interface GuardedChildren {
  /** Whose first guardian the parent is, from the session, so they are known at once. */
  readonly own: readonly Child[];
  /** Of other families; empty until the list is there. */
  readonly others: readonly Child[];
  /** All children as the list has them; undefined until it is there. */
  readonly listed: readonly Child[] | undefined;
  /** Why the list could not be read; null if it could, and while it is awaited. */
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly refetch: () => void;
}

/** Use only on screens behind the parent guard. */
export function useGuardedChildren(): GuardedChildren {
  const { children: own } = useParent();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [keys.children, 'own'],
    queryFn: ({ signal }) =>
      call(childRoutes.listChildren, { query: { limit: String(PAGE_LIMIT_MAX) }, signal }),
  });
  const listed = data?.children;
  const others = useMemo(() => {
    const ids = new Set(own.map(({ _id }) => _id));
    return listed?.filter(({ _id }) => !ids.has(_id)) ?? NONE;
  }, [own, listed]);
  return {
    own,
    others,
    listed,
    error: listed === undefined ? error : null,
    isFetching,
    refetch: () => void refetch(),
  };
}
