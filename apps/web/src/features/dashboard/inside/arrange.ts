/** Orders, filters and groups the children inside. Pure. */
import type { Child } from '@haris/contract/objects';
import { remainingSeconds, SOON_SECONDS } from '../../../countdown/remaining.ts';
import { sortByDue } from '../lists/children-cache.ts';
import type { Order } from './inside-view.ts';

/** Filter of the list by the time left. */
export type Due = 'all' | 'soon' | 'over';

/** What the list shows: children with so much time left, or those whose photo or name staff never confirmed. */
export type InsideFilter = Due | 'unconfirmed';

export const isUnconfirmed = ({ unconfirmed }: Child): boolean => unconfirmed !== undefined;

/** Whether the list shows a child at `now`, in epoch milliseconds of the server's clock. */
export function isShown(child: Child, filter: InsideFilter, now: number): boolean {
  return filter === 'unconfirmed' ? isUnconfirmed(child) : isDue(child, filter, now);
}

/** Whether a child belongs to `due` at `now`, in epoch milliseconds of the server's clock. */
export function isDue(child: Child, due: Due, now: number): boolean {
  if (due === 'all') return true;
  const left = remainingSeconds(child, now);
  if (left === null) return false;
  return due === 'over' ? left === 0 : left > 0 && left <= SOON_SECONDS;
}

const entered = ({ entryTime }: Child) => (entryTime === null ? 0 : Date.parse(entryTime));

/** A new array in the given order: by due time, by name, or latest entry first. */
export function orderInside(children: readonly Child[], order: Order): readonly Child[] {
  if (order === 'name')
    return [...children].sort((a, b) => a.name.localeCompare(b.name) || (a._id < b._id ? -1 : 1));
  if (order === 'entry') return [...children].sort((a, b) => entered(b) - entered(a));
  return sortByDue(children);
}

export interface Room {
  /**
   * The room in which staff put the children or, if all are in the default room, where a camera last saw them; null:
   * unknown.
   */
  readonly name: string | null;
  readonly children: readonly Child[];
}

/**
 * The children by room, rooms by name, those without a room last. Keeps the order within a room. `usual`: the name of the
 * default room, if it is known.
 */
export function groupByRoom(children: readonly Child[], usual?: string): readonly Room[] {
  const rooms = new Map<string | null, Child[]>();
  // If everybody is in the default room, nobody keeps rooms, and the room says nothing.
  const names = new Set(children.map(({ room }) => room));
  const areKept = names.size > 1 || (usual !== undefined && !names.has(usual));
  for (const child of children) {
    const name = (areKept ? child.room : null) ?? child.lastSeen?.area ?? null;
    rooms.set(name, [...(rooms.get(name) ?? []), child]);
  }
  return [...rooms]
    .map(([name, inRoom]) => ({ name, children: inRoom }))
    .sort((a, b) => {
      if (a.name === null || b.name === null) return a.name === null ? 1 : -1;
      return a.name.localeCompare(b.name);
    });
}
