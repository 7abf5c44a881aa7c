/**
 * Where a desk tablet keeps what it wrote without a connection, sealed, and the key, the ticket and the clock that belong to it: IndexedDB,
 * which can hold a key that no script can read out. It outlives the list, because entries wait for their answer however long that takes.
 */
import { committed, resultOf } from '../desk-list/database.ts';
import { canStore } from '../desk-list/store.ts';

const DATABASE = 'haris-desk-entries';
/** One row for each entry; the database counts their numbers on, also after they are deleted. */
const ENTRIES = 'entries';
/** One row each: */
const SINGLE = 'single';
const KEY = 'key';
const TICKET = 'ticket';
const NOTE = 'note';

export interface EntryRow {
  /** Rises. */
  readonly seq: number;
  /** In clear, to find it by the answer; it is random. */
  readonly id: string;
  readonly sealed: Uint8Array<ArrayBuffer>;
  /** When the server answered, by its clock; null: not yet. */
  readonly toldAt: number | null;
}

export interface TicketRow {
  readonly sealed: Uint8Array<ArrayBuffer>;
  /** The page of the sign-in: it alone writes entries. */
  readonly page: string;
  /** When it was kept, and when it must be deleted, by the clock of this device. */
  readonly keptAt: number;
  readonly endsAt: number;
}

export interface ClockNote {
  /** The same moment by the server's clock and by the clock of this device: milliseconds since 1970. */
  readonly server: number;
  readonly wall: number;
  readonly isUnsure: boolean;
}

interface Stores {
  readonly entries: IDBObjectStore;
  readonly single: IDBObjectStore;
}

async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener('upgradeneeded', () => {
    const entries = request.result.createObjectStore(ENTRIES, { keyPath: 'seq', autoIncrement: true });
    entries.createIndex('id', 'id', { unique: true });
    request.result.createObjectStore(SINGLE);
  });
  return resultOf(request);
}

/** One transaction: all of `work`, which waits for nothing but the database, or nothing of it. Resolves once it is on disk. */
async function run<T>(mode: IDBTransactionMode, work: (stores: Stores) => Promise<T>): Promise<T> {
  const database = await openDatabase();
  try {
    const transaction = database.transaction([ENTRIES, SINGLE], mode, { durability: 'strict' });
    const done = committed(transaction);
    const stores = { entries: transaction.objectStore(ENTRIES), single: transaction.objectStore(SINGLE) };
    const worked = work(stores).catch((error: unknown) => {
      try {
        transaction.abort();
      } catch {
        // It is over already.
      }
      throw error;
    });
    const [result] = await Promise.all([worked, done]);
    return result;
  } finally {
    database.close();
  }
}

/** Null without a database, or without such a row. */
async function readSingle<T>(name: string): Promise<T | null> {
  if (!canStore()) return null;
  return run('readonly', async ({ single }) => {
    const row: T | undefined = await resultOf(single.get(name));
    return row ?? null;
  });
}

export function readKey(): Promise<CryptoKey | null> {
  return readSingle<CryptoKey>(KEY);
}

/** Keeps the key unless there is one. Returns the one that is kept. */
export function keepKey(key: CryptoKey): Promise<CryptoKey> {
  return run('readwrite', async ({ single }) => {
    const kept: CryptoKey | undefined = await resultOf(single.get(KEY));
    if (kept === undefined) single.put(key, KEY);
    return kept ?? key;
  });
}

export function readTicket(): Promise<TicketRow | null> {
  return readSingle<TicketRow>(TICKET);
}

/** Replaces that of the sign-in before. */
export function writeTicket(row: TicketRow): Promise<void> {
  return run('readwrite', async ({ single }) => {
    single.put(row, TICKET);
  });
}

/** Deletes the ticket; with `page` only if it is that page's. */
export async function deleteTicket(page?: string): Promise<void> {
  if (!canStore()) return;
  await run('readwrite', async ({ single }) => {
    const row: TicketRow | undefined = await resultOf(single.get(TICKET));
    if (row !== undefined && (page === undefined || row.page === page)) single.delete(TICKET);
  });
}

export function readNote(): Promise<ClockNote | null> {
  return readSingle<ClockNote>(NOTE);
}

export async function writeNote(note: ClockNote): Promise<void> {
  if (!canStore()) return;
  await run('readwrite', async ({ single }) => {
    single.put(note, NOTE);
  });
}

/** All entries, oldest first. */
export async function readEntries(): Promise<EntryRow[]> {
  if (!canStore()) return [];
  return run('readonly', ({ entries }) => resultOf<EntryRow[]>(entries.getAll()));
}

/**
 * Writes an entry with the time at which it was written, if `page` still holds the ticket. Returns its number; null, and nothing is written, if
 * somebody has signed in elsewhere or handed over.
 */
export function addEntry(
  entry: Pick<EntryRow, 'id' | 'sealed'>,
  note: ClockNote,
  page: string,
): Promise<number | null> {
  return run('readwrite', async ({ entries, single }) => {
    const ticket: TicketRow | undefined = await resultOf(single.get(TICKET));
    if (ticket?.page !== page) return null;
    single.put(note, NOTE);
    return Number(await resultOf(entries.add({ ...entry, toldAt: null })));
  });
}

/** Notes that the server has answered these. */
export function tellEntries(seqs: readonly number[], toldAt: number): Promise<void> {
  return run('readwrite', async ({ entries }) => {
    for (const seq of seqs) {
      const row: EntryRow | undefined = await resultOf(entries.get(seq));
      if (row !== undefined) entries.put({ ...row, toldAt });
    }
  });
}

/** Deletes entries that the server has answered, and no others. */
export function deleteTold(seqs: readonly number[]): Promise<void> {
  return run('readwrite', async ({ entries }) => {
    for (const seq of seqs) entries.delete(seq);
  });
}

/** Deletes key, ticket and clock unless entries wait: without their key nobody could open them. */
export async function deleteUnlessWaiting(): Promise<void> {
  if (!canStore()) return;
  const rows = await readEntries();
  if (rows.some(({ toldAt }) => toldAt === null)) return;
  await resultOf(indexedDB.deleteDatabase(DATABASE));
}
