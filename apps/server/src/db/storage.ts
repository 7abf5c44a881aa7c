/** Detects a full database from failed writes, and probes it until a write succeeds again. */
import type { Kysely } from 'kysely';
import { findDiskSpace } from '../data-folder.ts';
import type { Database } from './schema.ts';
import { isStorageFull } from './storage-full.ts';

export type StorageState = 'ok' | 'full' | 'down';

export interface Storage {
  /** Whether the last writes failed for lack of space. */
  isFull(): boolean;
  /** Writes a test row and reports whether that worked. At most once a second; never takes longer than 2 s. */
  probe(): Promise<StorageState>;
  /** Calls back when the database becomes full or has space again; returns a function that unsubscribes. */
  onChange(listener: (isFull: boolean) => void): () => void;
}

export interface StorageWatch extends Storage {
  /** Records the error of any statement. */
  noteFailure(error: unknown): void;
  stop(): void;
}

const PROBE_KEY = 'storage_probe';
/** Cache time of a probe's result, so that anonymous calls of /readyz cannot keep the disk busy. Milliseconds. */
const PROBE_KEPT_MS = 1_000;
/** A database that does not respond within this time is down. Milliseconds. */
const PROBE_WITHIN_MS = 2_000;
/** Probe interval while the database is full. Milliseconds. */
const TRY_AGAIN_MS = 5_000;
/** Probe interval at other times: the database may have filled up while this server wrote nothing. Milliseconds. */
const TRY_ANYWAY_MS = 30_000;
/** SQLite counts as full below this free space: a probe row may fit where a check-in does not. Bytes. */
export const LEAST_ROOM = 1024 ** 2;

/** `folder`: the folder of SQLite's file; null for PostgreSQL. */
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
