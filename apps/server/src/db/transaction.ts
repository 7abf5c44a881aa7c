/**
 * Transactions with retries after PostgreSQL's deadlocks, with callbacks after the commit, and with the guard of the call
 * that they work for.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

export interface Tx {
  readonly trx: Transaction<Database>;
  /** Runs once the transaction is committed; never runs after a rollback. */
  afterCommit(work: () => void): void;
}

/**
 * What a call needs for its writes: its session or its device, the rights of staff, and a fresh proof where the route demands
 * one.
 */
export interface Guard {
  /**
   * Throws if it is not there any more. What is there stays until the transaction ends: whoever wants to end it waits.
   */
  check(trx: Transaction<Database>): Promise<void>;
  /** Whether the session or device is still there, after the work. */
  isThere(trx: Transaction<Database>): Promise<boolean>;
}

interface GuardedWork {
  readonly guard: Guard;
  isOver: boolean;
}

const guarded = new AsyncLocalStorage<GuardedWork | undefined>();

/**
 * Runs a call. Each of its transactions first checks the guard, because minutes may lie between the call's headers, its
 * body and its turn at the face engine. Work that the call leaves behind is not guarded, nor is what follows once the call
 * itself has ended its session.
 */
export async function withGuard<T>(guard: Guard, work: () => Promise<T>): Promise<T> {
  const call: GuardedWork = { guard, isOver: false };
  try {
    return await guarded.run(call, work);
  } finally {
    call.isOver = true;
  }
}

/** SQLSTATE: serialization failure and deadlock, both safe to try again. */
const RETRIED = new Set(['40001', '40P01']);

/**
 * Pause before a transaction is tried again, at most, for its first retry; twice as long for each further one. Without it, two calls that
 * each lock their own session first can stop one another at every try. Milliseconds.
 */
const RETRY_PAUSE_MS = 50;

/**
 * Runs `work` in a transaction. Inside it, use only `tx.trx`: the embedded database has one connection, so a query on the
 * outer connection would wait for itself.
 */
export async function inTransaction<T>(db: Kysely<Database>, work: (tx: Tx) => Promise<T>): Promise<T> {
  const call = guarded.getStore();
  for (let attempt = 1; ; attempt++) {
    const after: (() => void)[] = [];
    let hasEnded = false;
    try {
      const result = await db.transaction().execute(async (trx) => {
        const guard = call?.isOver === false ? call.guard : undefined;
        await guard?.check(trx);
        const done = await work({ trx, afterCommit: (later) => after.push(later) });
        hasEnded = guard !== undefined && !(await guard.isThere(trx));
        return done;
      });
      if (call && hasEnded) call.isOver = true;
      for (const later of after) guarded.run(undefined, later);
      return result;
    } catch (error) {
      if (attempt >= 5 || !RETRIED.has(sqlState(error))) throw error;
      await pause(Math.random() * RETRY_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}

/** Reads in a transaction that may not write. */
export function inReadOnlyTransaction<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  return db.transaction().setAccessMode('read only').execute(work);
}

function sqlState(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** Whether a write violated a unique index, on either database. */
export function isUniqueViolation(error: unknown): boolean {
  if (sqlState(error) === '23505') return true;
  return error instanceof Error && /UNIQUE constraint failed/.test(error.message);
}

/** Whether a write violated a foreign key because its row is gone, on either database. */
export function isMissingReference(error: unknown): boolean {
  if (sqlState(error) === '23503') return true;
  return error instanceof Error && /FOREIGN KEY constraint failed/.test(error.message);
}
