/**
 * What this desk tablet wrote without a connection, in the order in which it was written: what is on disk, opened. It says which entries wait
 * for the server, which were told and are not on the list yet, and which cannot be told.
 */
import type { DeskEntry } from '@haris/contract/http/desk';
import { openEntry, type StoredEntry } from './entry-seal.ts';
import { deleteTold, type EntryRow, readEntries, readKey, tellEntries } from './store.ts';

/** A check-in that this desk wrote. Without ticket and codes: screens need neither. */
export interface WrittenEntry {
  readonly id: string;
  /** Rises. */
  readonly seq: number;
  readonly kind: DeskEntry['kind'];
  readonly childId: string;
  /** By the server's clock, as the tablet knew it: milliseconds since 1970. */
  readonly at: number;
  readonly isUnsure: boolean;
  readonly minutes: number;
  readonly roomId: string | null;
  /**
   * `waiting`: without an answer. `told`: the server has it, and the list does not show it yet. `refused`: the server does not understand it;
   * it is sent again once the page was reloaded.
   */
  readonly state: 'waiting' | 'told' | 'refused';
}

export interface WaitingEntries {
  /** False until the disk was read: until then nobody knows whether something waits. */
  readonly isLoaded: boolean;
  /** Those that wait for the server. Meanwhile each press is an entry, so that the order of a child's steps holds. */
  readonly count: number;
  /** Those that the server does not understand, and those that this tablet cannot open any more. */
  readonly refused: number;
  /** What was written since the list, told or not, oldest first. */
  readonly entries: readonly WrittenEntry[];
  /** The newest of each child. */
  readonly ofChild: ReadonlyMap<string, WrittenEntry>;
}

/** `entry` null: it cannot be opened. */
export interface KeptEntry {
  readonly row: EntryRow;
  readonly entry: StoredEntry | null;
}

let kept: readonly KeptEntry[] = [];
let isLoaded = false;
/** Ids of entries that the server refused as malformed. Only in this page, because a newer one may send them better. */
const malformed = new Set<string>();
/** Counts what this page changed: what was read before has no effect. */
let changes = 0;
let snapshot: WaitingEntries = describe();
const listeners = new Set<() => void>();

function stateOf({ toldAt, id }: EntryRow): WrittenEntry['state'] {
  if (toldAt !== null) return 'told';
  return malformed.has(id) ? 'refused' : 'waiting';
}

function toWritten(row: EntryRow, entry: StoredEntry): WrittenEntry {
  const { kind, childId, at, isUnsure, minutes, roomId } = entry;
  const { id, seq } = row;
  return { id, seq, kind, childId, at, isUnsure, minutes, roomId, state: stateOf(row) };
}

function describe(): WaitingEntries {
  const entries = kept.flatMap(({ row, entry }) => (entry === null ? [] : toWritten(row, entry)));
  const unopened = kept.filter(({ row, entry }) => entry === null && row.toldAt === null).length;
  const countOf = (wanted: WrittenEntry['state']) => entries.filter(({ state }) => state === wanted).length;
  return {
    isLoaded,
    count: countOf('waiting'),
    refused: countOf('refused') + unopened,
    entries,
    ofChild: new Map(entries.map((entry) => [entry.childId, entry])),
  };
}

function publish(next: readonly KeptEntry[]): void {
  kept = next;
  snapshot = describe();
  for (const listener of listeners) listener();
}

export function subscribeWritten(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export function writtenNow(): WaitingEntries {
  return snapshot;
}

async function openRow(row: EntryRow, key: CryptoKey | null): Promise<KeptEntry> {
  const known = kept.find((one) => one.row.seq === row.seq && one.row.id === row.id);
  if (known !== undefined && known.entry !== null) return { row, entry: known.entry };
  const entry = key === null ? null : await openEntry(key, row.id, row.sealed).catch(() => null);
  return { row, entry };
}

/** Reads the disk again, also for what another page wrote. Throws if the browser refuses. */
export async function loadWritten(): Promise<void> {
  for (;;) {
    const mine = changes;
    const rows = await readEntries();
    const key = rows.length === 0 ? null : await readKey();
    const opened = await Promise.all(rows.map((row) => openRow(row, key)));
    if (mine !== changes) continue;
    const isSame =
      isLoaded &&
      opened.length === kept.length &&
      opened.every(({ row, entry }, place) => {
        const old = kept[place];
        return old?.row.seq === row.seq && old.row.toldAt === row.toldAt && old.entry === entry;
      });
    isLoaded = true;
    if (!isSame) publish(opened);
    return;
  }
}

/** An entry is on disk. */
export function addWritten(row: EntryRow, entry: StoredEntry): WrittenEntry {
  changes++;
  // It may have been read from there already.
  publish([...kept.filter((one) => one.row.seq !== row.seq), { row, entry }]);
  return toWritten(row, entry);
}

/** An entry as it is sent. */
export interface QueuedEntry {
  readonly id: string;
  readonly seq: number;
  readonly childId: string;
  readonly entry: StoredEntry;
}

/** What is to be sent, oldest first. */
export function queuedEntries(): QueuedEntry[] {
  return kept.flatMap(({ row, entry }) =>
    entry === null || stateOf(row) !== 'waiting'
      ? []
      : { id: row.id, seq: row.seq, childId: entry.childId, entry },
  );
}

/** The server has answered these for good. They stay until a list shows them. Throws if the browser refuses: then they are sent again. */
export async function tellWritten(ids: ReadonlySet<string>, toldAt: number): Promise<void> {
  const told = kept.filter(({ row }) => ids.has(row.id)).map(({ row }) => row.seq);
  if (told.length === 0) return;
  const mark = () => {
    changes++;
    publish(kept.map((one) => (ids.has(one.row.id) ? { ...one, row: { ...one.row, toldAt } } : one)));
  };
  mark();
  await tellEntries(told, toldAt);
  // The disk may have been read meanwhile.
  mark();
}

/** The server refused this one as malformed. */
export function refuseWritten(id: string): void {
  malformed.add(id);
  publish(kept);
}

/** A list that is as new as `asOf`, by the server's clock, shows what was told before. Never throws. */
export async function forgetTold(asOf: number): Promise<void> {
  const isShown = ({ row: { toldAt } }: KeptEntry) => toldAt !== null && toldAt <= asOf;
  const shown = kept.filter(isShown);
  if (shown.length === 0) return;
  try {
    await deleteTold(shown.map(({ row }) => row.seq));
  } catch {
    // They go with a later list.
    return;
  }
  changes++;
  publish(kept.filter((one) => !shown.some(({ row }) => row.seq === one.row.seq)));
}
