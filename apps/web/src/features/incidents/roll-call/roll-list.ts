/** The rows of a roll call: children and adults in one form, filtered, and in sections with the unticked first. Pure. */
import type { RollCall } from '@haris/contract/http/incidents';
import { areRoomsKept, placeOf } from '../place-of.ts';
import { newestTick, type Tick, type TickState } from './ticks.ts';

export interface EntryTick {
  readonly state: TickState;
  readonly at: string;
  /** Null: this device's own tick, which the server has not confirmed. */
  readonly by: { readonly _id: string; readonly name: string } | null;
}

export interface RollEntry {
  readonly id: string;
  readonly kind: 'child' | 'staff' | 'visitor';
  readonly name: string;
  /** Path below `/api/photos/`. */
  readonly photo: string | null;
  /** Staff never confirmed the child's photo or name. */
  readonly unconfirmed?: true | undefined;
  /** The place where a camera last saw the child, or the room in which staff put it since; null: unknown. */
  readonly room: string | null;
  /** When a camera saw it there; ISO 8601. */
  readonly seenAt: string | null;
  /** The child's guardian, or why a visitor is here. */
  readonly note: string | null;
  readonly phone: string | null;
  /** False: checked out or signed out since. */
  readonly isInside: boolean;
  /** What a desk tablet told later of the child, which nobody has settled yet. */
  readonly unsettled?: RollCall['children'][number]['unsettled'];
  readonly tick: EntryTick | null;
}

/** Children first, then adults, each in the server's order, with this device's unconfirmed ticks. */
export function entriesOf(
  { children, people }: Pick<RollCall, 'children' | 'people'>,
  queue: readonly Tick[],
): RollEntry[] {
  const tickOf = (id: string, told: RollCall['people'][number]['tick']): EntryTick | null => {
    const tick = newestTick<{ state: TickState; at: string; by?: EntryTick['by'] }>(id, told, queue);
    return tick === null
      ? null
      : { state: tick.state, at: tick.at, by: 'by' in tick ? (tick.by ?? null) : null };
  };
  const isKept = areRoomsKept(children);
  return [
    ...children.map((child): RollEntry => {
      const place = placeOf(child, isKept);
      return {
        id: child.childId,
        kind: 'child',
        name: child.name,
        photo: child.photo,
        unconfirmed: child.unconfirmed,
        room: place?.name ?? null,
        seenAt: place?.seenAt ?? null,
        note: child.guardian?.name ?? null,
        phone: child.guardian?.phone ?? null,
        isInside: child.isInside,
        unsettled: child.unsettled,
        tick: tickOf(child.childId, child.tick),
      };
    }),
    ...people.map(
      (person): RollEntry => ({
        id: person.personId,
        kind: person.kind,
        name: person.name,
        photo: null,
        room: null,
        seenAt: null,
        note: person.reason,
        phone: person.phone,
        isInside: person.isInside,
        tick: tickOf(person.personId, person.tick),
      }),
    ),
  ];
}

/** Whether all staff can be alerted to this child: marked missing, and not checked out. The server refuses others. */
export function mayBeSought({
  kind,
  isInside,
  tick,
}: Pick<RollEntry, 'kind' | 'isInside' | 'tick'>): boolean {
  return kind === 'child' && isInside && tick?.state === 'missing';
}

export interface RollCounts {
  readonly present: number;
  readonly missing: number;
  readonly away: number;
  readonly open: number;
}

export function countEntries(entries: readonly RollEntry[]): RollCounts {
  const counts = { present: 0, missing: 0, away: 0, open: 0 };
  for (const { tick } of entries) counts[tick?.state ?? 'open']++;
  return counts;
}

/** Which rows are shown: all, or those in one state. */
export type RollFilter = 'all' | 'open' | 'missing' | 'present';

export interface Section {
  /** A section of the list: a room, or another common property of its rows. */
  readonly group:
    | { readonly kind: 'missing' | 'unknownRoom' | 'staff' | 'visitors' | 'present' | 'away' }
    | { readonly kind: 'room'; readonly room: string };
  readonly entries: readonly RollEntry[];
}

/**
 * The rows in sections: first the missing, then the unticked by room, staff, visitors, and at the end those who are
 * here or away. `stateOf` gives the state that decides about the place, which follows a tick a little later, so that no
 * row moves under a finger.
 */
export function sectionsOf(
  entries: readonly RollEntry[],
  stateOf: (entry: RollEntry) => TickState | null,
): Section[] {
  const within = (state: TickState | null) => entries.filter((entry) => stateOf(entry) === state);
  const open = within(null);
  const children = open.filter(({ kind }) => kind === 'child');
  const rooms = [...new Set(children.flatMap(({ room }) => room ?? []))].sort((a, b) => a.localeCompare(b));
  const sections: Section[] = [
    { group: { kind: 'missing' }, entries: within('missing') },
    ...rooms.map((room) => ({
      group: { kind: 'room' as const, room },
      entries: children.filter((entry) => entry.room === room),
    })),
    { group: { kind: 'unknownRoom' }, entries: children.filter(({ room }) => room === null) },
    { group: { kind: 'staff' }, entries: open.filter(({ kind }) => kind === 'staff') },
    { group: { kind: 'visitors' }, entries: open.filter(({ kind }) => kind === 'visitor') },
    { group: { kind: 'present' }, entries: within('present') },
    { group: { kind: 'away' }, entries: within('away') },
  ];
  return sections.filter((section) => section.entries.length > 0);
}

/** On paper, people who have not been found come first. */
const PAPER_ORDER: readonly (TickState | null)[] = ['missing', null, 'present', 'away'];

/** The printed list: everybody by room, in each room the unticked before the others. */
export function sheetOf(entries: readonly RollEntry[]): Section[] {
  const placeOf = ({ tick }: RollEntry) => PAPER_ORDER.indexOf(tick?.state ?? null);
  const sorted = entries.toSorted((a, b) => placeOf(a) - placeOf(b));
  return sectionsOf(sorted, () => null);
}

/** Rooms of the children on the list, sorted. */
export function roomsOf(entries: readonly RollEntry[]): string[] {
  return [...new Set(entries.flatMap(({ room }) => room ?? []))].sort((a, b) => a.localeCompare(b));
}

/** `#staff`, `#visitors` and `#unknown` stand for groups other than rooms; '' shows everybody. */
export type RoomFilter = string;

export function isInRoom({ kind, room }: RollEntry, filter: RoomFilter): boolean {
  if (filter === '') return true;
  if (filter === '#staff') return kind === 'staff';
  if (filter === '#visitors') return kind === 'visitor';
  if (filter === '#unknown') return kind === 'child' && room === null;
  return room === filter;
}
