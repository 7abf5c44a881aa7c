/** The last known place of a child, from a camera or from staff, for the roll call and the danger dialog. Pure. */
import type { RollCallChild } from '@haris/contract/http/incidents';

export interface Place {
  readonly name: string;
  /** Time at which a camera saw the child there; null: staff put the child there. ISO 8601. */
  readonly seenAt: string | null;
}

type Placed = Pick<RollCallChild, 'lastSeen' | 'room'>;

/**
 * Whether the rooms of stays mean anything. If all children are in one room, it is only the default and nobody moves
 * them, so "unknown" is the honest answer.
 */
export function areRoomsKept(children: readonly Placed[]): boolean {
  return new Set(children.flatMap(({ room }) => room?.name ?? [])).size > 1;
}

/** Null: unknown. A camera counts unless staff have moved the child since. */
export function placeOf({ lastSeen, room }: Placed, isKept: boolean): Place | null {
  const put = isKept && room?.since != null ? room : null;
  const isNewer = lastSeen !== null && (put?.since == null || lastSeen.at >= put.since);
  if (isNewer) return { name: lastSeen.area, seenAt: lastSeen.at };
  return put === null ? null : { name: put.name, seenAt: null };
}
