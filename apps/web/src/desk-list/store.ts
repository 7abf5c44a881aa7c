/** Where a desk tablet keeps its sealed list, with the key that opens it: one row in IndexedDB, which can hold a key that no script can read out. */
import { committed, resultOf } from './database.ts';

/** The name of the database; nothing else is in it. */
const DATABASE = 'haris-desk-list';
const STORE = 'list';
const ROW = 'list';

export interface KeptRow {
  /** AES-GCM, not extractable, for opening alone. */
  readonly key: CryptoKey;
  /** As the server sent it. */
  readonly sealed: Uint8Array<ArrayBuffer>;
  readonly revision: string;
  /** Of the sign-in whose key it is: only the page that made it opens the list. */
  readonly signIn: string;
  /** When the server last said that it is up to date: milliseconds since 1970 by the server's clock. */
  readonly asOf: number;
  /** The same moment, and when it must be deleted, by the clock of this device. */
  readonly keptAt: number;
  readonly endsAt: number;
}

/** Whether this browser has such a database, and lets this page have it. */
export function canStore(): boolean {
  try {
    // Where cookies are blocked, some browsers throw and others say null.
    return typeof indexedDB === 'object' && indexedDB !== null;
  } catch {
    return false;
  }
}

async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
  return resultOf(request);
}

/** The row; null without one. Throws if the browser refuses. */
export async function readRow(): Promise<KeptRow | null> {
  if (!canStore()) return null;
  const database = await openDatabase();
  try {
    const store = database.transaction(STORE, 'readonly').objectStore(STORE);
    const row: KeptRow | undefined = await resultOf(store.get(ROW));
    return row ?? null;
  } finally {
    database.close();
  }
}

/** Replaces the row. Resolves once it is on disk; throws if the browser refuses or has no room. */
export async function writeRow(row: KeptRow): Promise<void> {
  const database = await openDatabase();
  try {
    const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' });
    const done = committed(transaction);
    transaction.objectStore(STORE).put(row, ROW);
    await done;
  } finally {
    database.close();
  }
}

/** Deletes all of it, without making anything on a device that has none. */
export async function deleteRow(): Promise<void> {
  if (canStore()) await resultOf(indexedDB.deleteDatabase(DATABASE));
}
