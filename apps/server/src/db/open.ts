/** Opens the database (embedded SQLite, or PostgreSQL by its address) and brings its schema up to date. */
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeFailure, type Logger } from '@haris/runtime/log';
import {
  Kysely,
  type LogEvent,
  PostgresDialect,
  SqliteAdapter,
  SqliteDialect,
  sql,
  type Transaction,
} from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { checkDatabaseFile, explainDatabaseFile, sqliteCode } from './damage.ts';
import { foundation } from './migrations/001-foundation.ts';
import { stayCorrections } from './migrations/002-stay-corrections.ts';
import { languageAndReports } from './migrations/003-language-and-reports.ts';
import { camerasAndSightings } from './migrations/010-cameras.ts';
import { sensorsAndReadings } from './migrations/020-sensors.ts';
import { incidentsAndEvacuations } from './migrations/030-incidents.ts';
import { notices } from './migrations/040-notices.ts';
import { adultFaces } from './migrations/050-adult-faces.ts';
import { photoBodies } from './migrations/060-photo-bodies.ts';
import { erasures } from './migrations/061-erasures.ts';
import { leaseEpochs } from './migrations/065-lease-epochs.ts';
import { severalServers } from './migrations/070-several-servers.ts';
import { accounts } from './migrations/075-accounts.ts';
import { proofs } from './migrations/080-proof.ts';
import { passwordSetBy } from './migrations/081-password-set-by.ts';
import { homeAssistantMaker } from './migrations/082-home-assistant-maker.ts';
import { proposals } from './migrations/085-proposals.ts';
import type { Database } from './schema.ts';
import { holdFolder, openSqlite } from './sqlite.ts';

export type Dialect = 'sqlite' | 'postgres';

export interface OpenDatabase {
  readonly db: Kysely<Database>;
  readonly dialect: Dialect;
  close(): Promise<void>;
}

export interface DatabasePlace {
  readonly databaseUrl: string | null;
  /** Absolute; the embedded database is `haris.db` in it. */
  readonly dataDir: string;
  readonly pool?: number;
  readonly log: Logger;
  /** No request waits for it, so statements have no time limit. */
  readonly isPatient?: boolean;
  /** Told of every statement that failed. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
  /** Refuses, by throwing, a database that is not to be changed; called before its schema is. */
  readonly admit?: (database: OpenDatabase) => Promise<void>;
  /** Called before a schema that is there is changed; by throwing, that is called off. `to` is the newest migration. */
  readonly beforeMigration?: (database: OpenDatabase, to: string) => Promise<void>;
  /** Migrates an empty database to this migration alone, not to the newest one. */
  readonly upTo?: string;
}

/** Path of the embedded database. */
export function embeddedFile(dataDir: string): string {
  return join(dataDir, 'haris.db');
}

/** Another process has the data folder, or the folder cannot be used; `message` is for the operator. */
export class DataFolderError extends Error {
  override name = 'DataFolderError';
}

/** The database has a schema that this program does not know; `message` is for the operator. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

/** Another process has locked the file. */
const SQLITE_BUSY = 5;

/** SQLite can take back changes of its schema, which Kysely does not count on: half a migration must not stay. */
class EmbeddedDialect extends SqliteDialect {
  override createAdapter() {
    return new TransactionalAdapter();
  }
}
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * Opens the database and migrates it. Throws {@link DataFolderError}, {@link DatabaseFileError}, {@link NewerDatabaseError};
 * rejects when PostgreSQL does not answer.
 */
export async function openDatabase(place: DatabasePlace): Promise<OpenDatabase> {
  const { databaseUrl, dataDir, log } = place;
  const explain = (error: unknown) =>
    databaseUrl ? error : explainDatabaseFile(embeddedFile(dataDir), error);
  let opened: OpenDatabase;
  try {
    opened = databaseUrl
      ? connectPostgres(databaseUrl, place.pool ?? 10, log, {
          onFailure: place.onFailure,
          limits: place.isPatient ? {} : SERVER_LIMITS,
        })
      : openEmbedded(dataDir, place.onFailure);
  } catch (error) {
    throw explain(error);
  }
  try {
    const { db, dialect } = opened;
    const done = await refuseNewer(db, dialect);
    await place.admit?.(opened);
    const newest = Object.keys(migrationsOf(dialect)).sort().at(-1) ?? '';
    if (done.length > 0 && !done.includes(newest)) await place.beforeMigration?.(opened, newest);
    const upTo = done.length === 0 ? place.upTo : undefined;
    await (databaseUrl ? migratePostgres(databaseUrl, log, upTo) : migrate(db, dialect, upTo));
  } catch (error) {
    await opened.close();
    throw explain(error);
  }
  return opened;
}

/** Kysely's own log, kept to what failed. */
function logFailures(onFailure: DatabasePlace['onFailure']) {
  return onFailure
    ? { log: (event: LogEvent) => void (event.level === 'error' && onFailure(event.error)) }
    : {};
}

function openEmbedded(dataDir: string, onFailure: DatabasePlace['onFailure']): OpenDatabase {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  let hold: ReturnType<typeof holdFolder>;
  try {
    hold = holdFolder(join(dataDir, 'haris.lock'));
  } catch (error) {
    if (sqliteCode(error) !== SQLITE_BUSY)
      throw new DataFolderError(
        `The data folder ${dataDir} cannot be written. Make it writable for this user, or set DATA_DIR.`,
      );
    throw new DataFolderError(
      `The data folder ${dataDir} is in use by another Haris. Stop that one first, or set DATA_DIR.`,
    );
  }
  let db: Kysely<Database>;
  try {
    checkDatabaseFile(embeddedFile(dataDir));
    db = new Kysely<Database>({
      dialect: new EmbeddedDialect({ database: openSqlite(embeddedFile(dataDir)) }),
      ...logFailures(onFailure),
    });
  } catch (error) {
    hold.release();
    throw error;
  }
  // The folder may have been there before, open to others.
  for (const name of readdirSync(dataDir))
    if (name.startsWith('haris.')) chmodSync(join(dataDir, name), 0o600);
  return {
    db,
    dialect: 'sqlite',
    async close() {
      await db.destroy();
      hold.release();
    },
  };
}

/** Opens the embedded database of a running Haris to read it only. */
export function openEmbeddedReadOnly(dataDir: string): OpenDatabase {
  return openFileReadOnly(embeddedFile(dataDir));
}

/** Opens the file of an embedded database, or a copy of one, to read it only. */
export function openFileReadOnly(file: string): OpenDatabase {
  const db = new Kysely<Database>({
    dialect: new SqliteDialect({ database: openSqlite(file, { readOnly: true }) }),
  });
  return { db, dialect: 'sqlite', close: () => db.destroy() };
}

/** Limits by which a connection that hangs is noticed; used for all connections. Milliseconds. */
export const CONNECTION_LIMITS = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const satisfies pg.PoolConfig;

/**
 * How long anything that a request waits for may take (decision 022). A server that is paused within a transaction holds
 * what others wait for: its transaction is ended before they give up. The last is the driver's own, for a PostgreSQL that
 * does not answer at all. Milliseconds.
 */
const SERVER_LIMITS = {
  idle_in_transaction_session_timeout: 3_000,
  lock_timeout: 6_000,
  statement_timeout: 10_000,
  query_timeout: 12_000,
} as const satisfies pg.PoolConfig;

/** Connects without migrating. Without limits: backups, migrations and reading the whole audit log take their time. */
export function connectPostgres(
  url: string,
  max: number,
  log: Logger,
  { onFailure, limits }: { onFailure?: DatabasePlace['onFailure']; limits?: pg.PoolConfig } = {},
): OpenDatabase {
  const pool = new pg.Pool({
    ...CONNECTION_LIMITS,
    ...limits,
    connectionString: url,
    max,
    // bigint columns hold milliseconds and counters, all far below 2^53.
    types: {
      getTypeParser: ((oid: number, format?: string) =>
        oid === 20 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  });
  // Without a listener, a connection that the server drops ends the process: of idle ones the pool says so, of those in use
  // the connection alone. Whoever uses it gets the error with the query.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn(describeFailure(error), 'a database connection was lost'));
  });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }), ...logFailures(onFailure) });
  return { db, dialect: 'postgres', close: () => db.destroy() };
}

/** Whether the database has a table, also before it was migrated. */
export async function hasTable(
  db: Kysely<Database> | Transaction<Database>,
  dialect: Dialect,
  name: string,
): Promise<boolean> {
  return (await findTables(db, dialect)).includes(name);
}

/** Names of all tables, also before the database was migrated. */
export async function findTables(
  db: Kysely<Database> | Transaction<Database>,
  dialect: Dialect,
): Promise<string[]> {
  const { rows } =
    dialect === 'postgres'
      ? await sql<{
          name: string;
        }>`select tablename as name from pg_tables where schemaname = any (current_schemas(false))`.execute(
          db,
        )
      : await sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(db);
  return rows.map((row) => row.name);
}

/** Kysely's own list of what was done. */
const MIGRATIONS_DONE = 'kysely_migration';

/** Names of the migrations that the database has gone through, in order; none where it is new. */
export async function findMigrations(
  db: Kysely<Database> | Transaction<Database>,
  dialect: Dialect,
): Promise<string[]> {
  if (!(await hasTable(db, dialect, MIGRATIONS_DONE))) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(MIGRATIONS_DONE)} order by name`.execute(db);
  return rows.map((row) => row.name);
}

/** Answers the migrations that were done. Throws {@link NewerDatabaseError}. */
async function refuseNewer(db: Kysely<Database>, dialect: Dialect): Promise<string[]> {
  const done = await findMigrations(db, dialect);
  const newer = done.filter((name) => !isKnownMigration(name, dialect));
  if (newer.length > 0)
    throw new NewerDatabaseError(
      `The database was made or changed by a newer Haris (it has ${newer.join(', ')}). Start that version again, ` +
        'or restore a backup that was made before the update (DATA_DIR/backups has the one made by itself).',
    );
  return done;
}

/** Whether this program has a migration of that name. */
export function isKnownMigration(name: string, dialect: Dialect): boolean {
  return Object.hasOwn(migrationsOf(dialect), name);
}

function migrationsOf(dialect: Dialect): Record<string, Migration> {
  return {
    '001-foundation': foundation(dialect),
    '002-stay-corrections': stayCorrections,
    '003-language-and-reports': languageAndReports,
    '010-cameras': camerasAndSightings(dialect),
    '020-sensors': sensorsAndReadings(dialect),
    '030-incidents': incidentsAndEvacuations,
    '040-notices': notices(dialect),
    '050-adult-faces': adultFaces(dialect),
    '060-photo-bodies': photoBodies(dialect),
    '061-erasures': erasures,
    '065-lease-epochs': leaseEpochs,
    '070-several-servers': severalServers,
    '075-accounts': accounts,
    '080-proof': proofs,
    '081-password-set-by': passwordSetBy,
    '082-home-assistant-maker': homeAssistantMaker,
    '085-proposals': proposals(dialect),
  };
}

/** On a connection of its own: a change of a large table may take longer than a request may. */
async function migratePostgres(url: string, log: Logger, upTo?: string): Promise<void> {
  const { db, dialect, close } = connectPostgres(url, 1, log);
  await migrate(db, dialect, upTo).finally(close);
}

/** Brings the schema up to date, or to the migration that is named. */
export async function migrate(db: Kysely<Database>, dialect: Dialect, upTo?: string): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrationsOf(dialect) },
  });
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo));
  if (error) throw error;
}
