/** Connects to PostgreSQL, with time limits that detect hanging connections and statements. */
import { describeFailure, type Logger } from '@haris/runtime/log';
import { Kysely } from 'kysely';
import pg from 'pg';
import { type FailureListener, logFailures, type OpenDatabase } from './dialect.ts';
import { FacilityPlugin } from './facility-plugin.ts';
import { FacilityDialect } from './row-security.ts';
import type { Database } from './schema.ts';

/** Time limits that detect a hanging connection, for all connections. Milliseconds. */
export const CONNECTION_LIMITS = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const satisfies pg.PoolConfig;

/**
 * Time limits of statements that a request waits for (decision 022). A server paused within a transaction blocks others:
 * PostgreSQL aborts that transaction before the others time out. The last limit is the driver's own, for a PostgreSQL
 * that does not respond at all. Milliseconds.
 */
export const SERVER_LIMITS = {
  idle_in_transaction_session_timeout: 3_000,
  lock_timeout: 6_000,
  statement_timeout: 10_000,
  query_timeout: 12_000,
} as const satisfies pg.PoolConfig;

/** Connects without migrating. No time limits by default, because backups, migrations and audit checks take long. */
export function connectPostgres(
  url: string,
  max: number,
  log: Logger,
  { onFailure, limits }: { onFailure?: FailureListener; limits?: pg.PoolConfig } = {},
): OpenDatabase {
  const pool = new pg.Pool({
    ...CONNECTION_LIMITS,
    ...limits,
    connectionString: url,
    max,
    // Parses bigint columns as numbers: milliseconds and counters are far below 2^53.
    types: {
      getTypeParser: ((oid: number, format?: string) =>
        oid === 20 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  });
  // Without a listener, a dropped connection would end the process. The pool reports idle connections. A connection in
  // use reports itself, and its query gets the error.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn(describeFailure(error), 'a database connection was lost'));
  });
  const db = new Kysely<Database>({
    dialect: new FacilityDialect({ pool }),
    plugins: [new FacilityPlugin('postgres')],
    ...logFailures(onFailure),
  });
  return { db, dialect: 'postgres', close: () => db.destroy() };
}
