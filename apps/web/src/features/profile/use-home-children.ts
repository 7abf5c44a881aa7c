/** The parent's children as the home screen shows them: with the room, the last visit, and those inside first. */
import type { Child } from '@haris/contract/objects';
import { useEffect, useMemo } from 'react';
import { type GuardedChildren, useGuardedChildren } from '../../child/guarded-children.ts';
import { dueAt } from '../../countdown/remaining.ts';

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
  /** Those of them whose first guardian the parent is; of the others one household reads nothing that another has entered. */
  readonly own: readonly Child[];
  /** Those whom the parent may take home, also of other families. */
  readonly taken: readonly Child[];
  /** Whether the children of other families are known yet. */
  readonly isListed: boolean;
  /** The list of all children, while no child of the own family is known and it is awaited or has failed; null otherwise. */
  readonly awaited: Pick<GuardedChildren, 'error' | 'isFetching' | 'refetch'> | null;
  /** The list is still awaited and will probably bring pictures: their place is kept, so that nothing moves. */
  readonly awaitsPictures: boolean;
}

/**
 * The children of the session, with the data that only the list contains, and those of other families. `lastSeen` is copied within
 * the same stay only, so that a room of an earlier visit is never shown.
 */
export function useHomeChildren(): HomeChildren {
  const { own, others, listed, ...list } = useGuardedChildren();
  const known = useMemo(() => {
    const more = new Map(listed?.map((child) => [child._id, child]));
    const mine = inOrder(
      own.map((child) => {
        const found = more.get(child._id);
        if (found === undefined || found.uniqueEntryId !== child.uniqueEntryId) return child;
        return { ...child, lastSeen: found.lastSeen, lastVisit: found.lastVisit };
      }),
    );
    const children = others.length === 0 ? mine : inOrder([...mine, ...others]);
    return { own: mine, children, taken: children.filter(({ mayTake }) => mayTake !== false) };
  }, [own, others, listed]);
  const inside = listed?.find(({ isInside }) => isInside);
  const hasPictures = inside && inside.lastSeen !== undefined;
  useEffect(() => {
    if (hasPictures !== undefined) keepPictures(hasPictures);
  }, [hasPictures]);
  const isPending = listed === undefined && list.error === null;
  return {
    ...known,
    isListed: listed !== undefined,
    awaited: listed === undefined && own.length === 0 ? list : null,
    awaitsPictures: isPending && mayHavePictures(),
  };
}
