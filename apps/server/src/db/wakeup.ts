/** Tells every server on the database that there are new events: in memory for SQLite, NOTIFY for PostgreSQL. */
import { EventEmitter } from 'node:events';
import { describeFailure, type Logger } from '@haris/runtime/log';
import { sql } from 'kysely';
import pg from 'pg';
import { CONNECTION_LIMITS } from './open.ts';
import type { Tx } from './transaction.ts';

export interface Wakeup {
  /** Wakes all listeners once this transaction is committed. */
  raise(tx: Tx): Promise<void>;
  /** Calls `listener` after each commit that raised; returns how to stop. It may be called for nothing. */
  listen(listener: () => void): () => void;
  close(): Promise<void>;
}

const CHANNEL = 'haris_events';

function localWakeup() {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  return {
    emit: () => emitter.emit('wake'),
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

/** Listens on a connection of its own and connects again when it is lost (1 s to 30 s). */
export function postgresWakeup(url: string, log: Logger): Wakeup {
  const local = localWakeup();
  let client: pg.Client | null = null;
  let closed = false;
  let retryMs = 1_000;
  let timer: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const mine = new pg.Client({ ...CONNECTION_LIMITS, connectionString: url });
    client = mine;
    let lost = false;
    const again = (error?: unknown): void => {
      if (lost || closed) return;
      lost = true;
      log.warn({ retryMs, ...(error ? describeFailure(error) : {}) }, 'the event channel was lost');
      mine.end().catch(() => undefined);
      timer = setTimeout(() => void connect(), retryMs);
      retryMs = Math.min(retryMs * 2, 30_000);
    };
    mine.on('error', again);
    mine.on('end', () => again());
    mine.on('notification', local.emit);
    try {
      await mine.connect();
      await mine.query(`listen ${CHANNEL}`);
      retryMs = 1_000;
      // What was raised while nobody listened.
      local.emit();
    } catch (error) {
      again(error);
    }
  };
  void connect();

  return {
    async raise(tx) {
      await sql`select pg_notify(${CHANNEL}, '')`.execute(tx.trx);
      // This server need not wait for the way through the database.
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
