/** Notifies all servers of one database about new events: in memory for SQLite, by NOTIFY for PostgreSQL. */
import { EventEmitter } from 'node:events';
import { createBackoff } from '@haris/runtime/backoff';
import { describeFailure, type Logger } from '@haris/runtime/log';
import { sql } from 'kysely';
import pg from 'pg';
import { acrossFacilities } from '../facility.ts';
import { CONNECTION_LIMITS } from './postgres.ts';
import type { Tx } from './transaction.ts';

export interface Wakeup {
  /** Wakes all listeners after this transaction commits. */
  raise(tx: Tx): Promise<void>;
  /** Calls `listener` after each commit that raised, sometimes without cause; returns a function that unsubscribes. */
  listen(listener: () => void): () => void;
  close(): Promise<void>;
}

const CHANNEL = 'haris_events';

function localWakeup() {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  return {
    // The listeners serve everybody, not only the facility whose request woke them.
    emit: () => acrossFacilities(() => emitter.emit('wake')),
    listen(listener: () => void) {
      emitter.on('wake', listener);
      return () => {
        emitter.off('wake', listener);
      };
    },
  };
}

export function sqliteWakeup(): Wakeup {
  const local = localWakeup();
  return {
    async raise(tx) {
      tx.afterCommit(local.emit);
    },
    listen: local.listen,
    async close() {},
  };
}

/** Listens on a separate connection, and reconnects with a back-off of 1 s to 30 s. */
export function postgresWakeup(url: string, log: Logger): Wakeup {
  const local = localWakeup();
  let client: pg.Client | null = null;
  let closed = false;
  const backoff = createBackoff({ firstMs: 1_000, longestMs: 30_000 });
  let timer: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const mine = new pg.Client({ ...CONNECTION_LIMITS, connectionString: url });
    client = mine;
    let lost = false;
    const again = (error?: unknown): void => {
      if (lost || closed) return;
      lost = true;
      const retryMs = backoff.next();
      log.warn({ retryMs, ...(error ? describeFailure(error) : {}) }, 'the event channel was lost');
      mine.end().catch(() => undefined);
      timer = setTimeout(() => void connect(), retryMs);
    };
    mine.on('error', again);
    mine.on('end', () => again());
    mine.on('notification', local.emit);
    try {
      await mine.connect();
      await mine.query(`listen ${CHANNEL}`);
      backoff.reset();
      // Catches up on wake-ups that were lost while nobody listened.
      local.emit();
    } catch (error) {
      again(error);
    }
  };
  void connect();

  return {
    async raise(tx) {
      await sql`select pg_notify(${CHANNEL}, '')`.execute(tx.trx);
      // This server's listeners need not wait for the round trip through the database.
      tx.afterCommit(local.emit);
    },
    listen: local.listen,
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
