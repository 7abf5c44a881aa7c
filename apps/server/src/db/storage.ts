/** Whether the database still has room to write: noticed from writes that fail, tried again until one is taken. */
import type { Kysely } from 'kysely';
import { findDiskSpace } from '../data-folder.ts';
import type { Database } from './schema.ts';
import { isStorageFull } from './storage-full.ts';

export type StorageState = 'ok' | 'full' | 'down';

export interface Storage {
  /** Whether the last writes failed for lack of room. */
  isFull(): boolean;
  /** Writes a row of its own and says whether it was taken. At most once a second; never longer than 2 s. */
  probe(): Promise<StorageState>;
  /** Calls back when it becomes full, and when there is room again; returns how to stop. */
  onChange(listener: (isFull: boolean) => void): () => void;
}

export interface StorageWatch extends Storage {
  /** Takes a failure of any statement. */
  noteFailure(error: unknown): void;
  stop(): void;
}

const PROBE_KEY = 'storage_probe';
/** The answer of a probe counts for this long, so that a stranger at /readyz cannot keep the disk busy. Milliseconds. */
const PROBE_KEPT_MS = 1_000;
/** A database that does not answer within this time is down. Milliseconds. */
const PROBE_WITHIN_MS = 2_000;
/** A full database is tried again this often. Milliseconds. */
const TRY_AGAIN_MS = 5_000;
/** Another server may have found it full while this one wrote nothing. Milliseconds. */
const TRY_ANYWAY_MS = 30_000;
/** SQLite counts as full below this: a row may still fit where a check-in does not. Bytes. */
const LEAST_ROOM = 1024 ** 2;

/** `folder`: where SQLite's file lies; null for a database elsewhere. */
export function watchStorage(db: Kysely<Database>, folder: string | null): StorageWatch {
  const listeners = new Set<(isFull: boolean) => void>();
  let full = false;
  let probing: Promise<StorageState> | null = null;
  let last: { readonly state: StorageState; readonly at: number } | null = null;

  function note(isFull: boolean): void {
    if (isFull === full) return;
    full = isFull;
    for (const listener of listeners) listener(isFull);
  }

  async function hasRoom(): Promise<boolean> {
    if (folder === null) return true;
    const { freeBytes, totalBytes } = await findDiskSpace(folder);
    return totalBytes === 0 || freeBytes >= LEAST_ROOM;
  }

  async function write(): Promise<StorageState> {
    try {
      const value = String(Date.now());
      await db
        .insertInto('meta')
        .values({ key: PROBE_KEY, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute();
      const state = (await hasRoom()) ? 'ok' : 'full';
      note(state === 'full');
      return state;
    } catch (error) {
      if (!isStorageFull(error)) return 'down';
      note(true);
      return 'full';
    }
  }

  function probe(): Promise<StorageState> {
    if (last && performance.now() - last.at < PROBE_KEPT_MS) return Promise.resolve(last.state);
    probing ??= write().finally(() => {
      probing = null;
    });
    const late = new Promise<StorageState>((resolve) => {
      setTimeout(() => resolve('down'), PROBE_WITHIN_MS).unref();
    });
    return Promise.race([probing, late]).then((state) => {
      last = { state, at: performance.now() };
      return state;
    });
  }

  const timers = [
    setInterval(() => void (full && probe()), TRY_AGAIN_MS),
    setInterval(() => void probe(), TRY_ANYWAY_MS),
  ];
  for (const timer of timers) timer.unref();
  return {
    isFull: () => full,
    probe,
    onChange(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    noteFailure(error) {
      if (isStorageFull(error)) note(true);
    },
    stop() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
