/** Records acknowledged check-ins and checkouts, and finds those that are missing later. */
import type { Selectable } from 'kysely';
import type { Database } from '../db/schema.ts';

type Stay = Pick<Selectable<Database['stays']>, 'unique_entry_id' | 'child_id' | 'exit_time'>;

export interface Promises {
  /** Acknowledged check-ins and checkouts that are missing. */
  readonly lost: string[];
  /** Descriptions of all other errors. */
  readonly wrong: string[];
  /** Number of acknowledged check-ins and checkouts. */
  acknowledged(): number;
  /** Entry id of a child's acknowledged open stay. */
  stayOf(childId: string): string | undefined;
  noteBegun(childId: string, entryId: string): void;
  /** `entryId`: the stay before the checkout was sent. */
  noteEnded(childId: string, entryId: string | undefined): void;
  /** Compares with the children whom the server lists as inside, by entry id. */
  compareInside(childIds: readonly string[], inside: ReadonlyMap<string, string>, when: string): void;
  /** Compares with all rows. `unanswered`: requests that may have added a stay without an acknowledgement. */
  compareStays(stays: readonly Stay[], unanswered: number): void;
}

export function createPromises(): Promises {
  const lost: string[] = [];
  const wrong: string[] = [];
  const begun = new Set<string>();
  const ended = new Set<string>();
  const inside = new Map<string, string>();
  let acknowledged = 0;

  return {
    lost,
    wrong,
    acknowledged: () => acknowledged,
    stayOf: (childId) => inside.get(childId),
    noteBegun(childId, entryId) {
      acknowledged++;
      begun.add(entryId);
      inside.set(childId, entryId);
    },
    noteEnded(childId, entryId) {
      acknowledged++;
      if (entryId !== undefined) ended.add(entryId);
      inside.delete(childId);
    },
    compareInside(childIds, listed, when) {
      for (const id of childIds)
        if (inside.get(id) !== listed.get(id)) lost.push(`${when}: child ${id} after the restart`);
    },
    compareStays(stays, unanswered) {
      const byEntry = new Map(stays.map((stay) => [stay.unique_entry_id, stay]));
      for (const id of begun) if (!byEntry.has(id)) lost.push(`check-in ${id}`);
      for (const id of ended) if (byEntry.get(id)?.exit_time == null) lost.push(`checkout of ${id}`);
      const open = Map.groupBy(
        stays.filter((stay) => stay.exit_time === null),
        (stay) => stay.child_id,
      );
      for (const [childId, rows] of open)
        if (rows.length > 1) wrong.push(`${rows.length} open stays of ${childId}`);
      if (stays.length > begun.size + unanswered)
        wrong.push(`${stays.length - begun.size} stays that nobody asked for`);
    },
  };
}
