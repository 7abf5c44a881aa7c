/** The children of a roll call: who was inside, and who is inside by the word of a desk tablet alone (decision 055). */
import type { Kysely, Transaction } from 'kysely';
import { findUnsettledWords, type UnsettledWord } from './desk-conflicts.ts';
import type { Database } from './schema.ts';
import { findChildrenPresent, type PresentChild } from './stays.ts';

/** A child with what a tablet told of it that nobody has settled; null if there is nothing. */
export interface CalledChild extends PresentChild {
  readonly unsettled: Pick<UnsettledWord, 'kind' | 'happened_at'> | null;
}

/**
 * The children who were inside at any time between `from` and `to` (milliseconds since 1970; null: now), by name, with those whose
 * check-in at a tablet has had no effect yet. Of those whom staff settle meanwhile nobody vanishes, also not who left before `from` by what
 * they decided: such a child counts as one that has left.
 */
export async function findCalledChildren(
  db: Kysely<Database> | Transaction<Database>,
  period: { readonly from: number; readonly to: number | null },
): Promise<CalledChild[]> {
  const present = await findChildrenPresent(db, period);
  const words = Map.groupBy(await findUnsettledWords(db, period), ({ child_id }) => child_id);
  const called = present.map((row) => withWord(row, words.get(row.child_id) ?? []));
  const known = new Set(present.map(({ child_id }) => child_id));
  const added = [...words].flatMap(([id, [first]]) => {
    if (!first || known.has(id)) return [];
    // Nobody is inside because a tablet says that it left.
    if (first.kind === 'check_out' && first.settled_at === null) return [];
    return [fromWords(first, words.get(id) ?? [])];
  });
  if (added.length === 0) return called;
  return [...called, ...added].sort(
    (one, other) => compare(one.sort_name, other.sort_name) || compare(one.child_id, other.child_id),
  );
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function withWord(row: PresentChild, words: readonly UnsettledWord[]): CalledChild {
  const open = words.filter(({ settled_at }) => settled_at === null);
  const unsettled = open.at(-1) ?? null;
  // It left, and came again by the word of a tablet.
  if (unsettled?.kind !== 'check_in') return { ...row, unsettled };
  return { ...row, exit_time: null, room_name: null, room_since: null, unsettled };
}

/** A child of whom nobody but a tablet says that it came in, or that has left by what staff have settled. */
function fromWords(word: UnsettledWord, words: readonly UnsettledWord[]): CalledChild {
  const { kind: _kind, happened_at: _at, settled_at, ...child } = word;
  const unsettled = words.findLast((one) => one.settled_at === null) ?? null;
  return {
    ...child,
    exit_time: unsettled ? null : settled_at,
    room_name: null,
    room_since: null,
    unsettled,
  };
}
