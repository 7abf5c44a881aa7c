/** The parent's children as the home screen shows them: with the room, the last visit, and those inside first. */
import { PAGE_LIMIT_MAX } from '@haris/contract/constants';
import { childRoutes } from '@haris/contract/http/children';
import type { Child } from '@haris/contract/objects';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { dueAt } from '../../countdown/remaining.ts';
import { useParent } from '../../session/session.tsx';

/** By due time, then the children outside by name. */
function inOrder(children: readonly Child[]): Child[] {
  const rank = (child: Child) => (child.isInside ? (dueAt(child) ?? 0) : Number.POSITIVE_INFINITY);
  return children.toSorted((a, b) => {
    const [first, second] = [rank(a), rank(b)];
    return first === second ? a.name.localeCompare(b.name) : first - second;
  });
}

const KEY = 'haris.home-has-pictures';

/** False on a device whose last list came from a facility without cameras. */
function mayHavePictures(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'false';
  } catch {
    return true;
  }
}

function keepPictures(hasPictures: boolean): void {
  try {
    localStorage.setItem(KEY, String(hasPictures));
  } catch {
    // Without storage, a place is kept for pictures each time.
  }
}

export interface HomeChildren {
  readonly children: readonly Child[];
  /** The list is still awaited and will probably bring pictures: their place is kept, so that nothing moves. */
  readonly awaitsPictures: boolean;
}

/**
 * The children of the session, with the data that only the list contains. `lastSeen` is copied within the same stay
 * only, so that a room of an earlier visit is never shown.
 */
export function useHomeChildren(): HomeChildren {
  const { children } = useParent();
  const { data, isPending } = useQuery({
    queryKey: [keys.children, 'own'],
    queryFn: ({ signal }) =>
      call(childRoutes.listChildren, { query: { limit: String(PAGE_LIMIT_MAX) }, signal }),
  });
  const known = useMemo(() => {
    const listed = new Map(data?.children.map((child) => [child._id, child]));
    return inOrder(
      children.map((child) => {
        const more = listed.get(child._id);
        if (more === undefined || more.uniqueEntryId !== child.uniqueEntryId) return child;
        return { ...child, lastSeen: more.lastSeen, lastVisit: more.lastVisit };
      }),
    );
  }, [children, data]);
  const inside = data?.children.find(({ isInside }) => isInside);
  const hasPictures = inside && inside.lastSeen !== undefined;
  useEffect(() => {
    if (hasPictures !== undefined) keepPictures(hasPictures);
  }, [hasPictures]);
  return { children: known, awaitsPictures: isPending && mayHavePictures() };
}
