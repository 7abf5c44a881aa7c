/** Transactions with retries after PostgreSQL's deadlocks, and with callbacks after the commit. */
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

export interface Tx {
  readonly trx: Transaction<Database>;
  /** Runs once the transaction is committed; never runs after a rollback. */
  afterCommit(work: () => void): void;
}

/** SQLSTATE: serialization failure and deadlock, both safe to try again. */
const RETRIED = new Set(['40001', '40P01']);

/**
 * Runs `work` in a transaction. Inside it, use only `tx.trx`: the embedded database has one connection, so a query on the
 * outer connection would wait for itself.
 */
export async function inTransaction<T>(db: Kysely<Database>, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const after: (() => void)[] = [];
    try {
      const result = await db
        .transaction()
        .execute((trx) => work({ trx, afterCommit: (later) => after.push(later) }));
      for (const later of after) later();
      return result;
    } catch (error) {
      if (attempt >= 5 || !RETRIED.has(sqlState(error))) throw error;
    }
  }
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
