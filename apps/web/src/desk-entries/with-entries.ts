/** Who is inside: the kept list, and what this desk wrote since. Pure. */
import type { DeskList, KeptChild, OutsideChild } from '@haris/contract/desk-list';
import type { WrittenEntry } from './written.ts';

export interface MergedChild extends KeptChild {
  /** The check-in that this desk wrote; null: the list has the child inside. */
  readonly written: WrittenEntry | null;
  /** Of who was checked in here: there is a care card, which is not on this tablet. Null: the list does not say. */
  readonly hasCardElsewhere: boolean | null;
}

export interface MergedList extends Omit<DeskList, 'inside'> {
  readonly inside: readonly MergedChild[];
  /** Check-ins of children whom the list does not have. Nobody can name them, and they count among those inside. */
  readonly unknown: readonly WrittenEntry[];
}

function toInside(child: OutsideChild, written: WrittenEntry, { checkIn }: DeskList): MergedChild {
  const { id, name, isUnconfirmed, guardian, hasCard } = child;
  return {
    id,
    name,
    isUnconfirmed,
    guardian: guardian === null ? null : { name: guardian, phone: null },
    room: checkIn?.rooms.find((room) => room.id === written.roomId)?.name ?? null,
    entryTime: new Date(written.at).toISOString(),
    duration: written.minutes,
    // A care card of who was outside is not on the list.
    card: null,
    isCardUnreadable: false,
    written,
    // Without check-ins the list has the name alone: nobody must take that for a child without a card.
    hasCardElsewhere: checkIn === null ? null : hasCard,
  };
}

/** `entries`: what this desk wrote since the list. A child whom the list has inside already stays as the list has it. */
export function withEntries(list: DeskList, entries: readonly WrittenEntry[]): MergedList {
  const newest = new Map(entries.map((entry) => [entry.childId, entry]));
  const before = list.inside.map((child) => ({ ...child, written: null, hasCardElsewhere: false }));
  const came = list.outside.flatMap((child) => {
    const written = newest.get(child.id);
    return written === undefined ? [] : toInside(child, written, list);
  });
  const listed = new Set([...list.inside, ...list.outside].map(({ id }) => id));
  return {
    ...list,
    inside: came.length === 0 ? before : [...before, ...came].sort((a, b) => a.name.localeCompare(b.name)),
    outside: list.outside.filter(({ id }) => !newest.has(id)),
    unknown: [...newest.values()].filter(({ childId }) => !listed.has(childId)),
  };
}
