/** Opens the database (embedded SQLite, or PostgreSQL by its address) and brings its schema up to date. */
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeFailure, type Logger } from '@haris/runtime/log';
import { Kysely, PostgresDialect, SqliteAdapter, SqliteDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { foundation } from './migrations/001-foundation.ts';
import { stayCorrections } from './migrations/002-stay-corrections.ts';
import { languageAndReports } from './migrations/003-language-and-reports.ts';
import { camerasAndSightings } from './migrations/010-cameras.ts';
import { sensorsAndReadings } from './migrations/020-sensors.ts';
import { incidentsAndEvacuations } from './migrations/030-incidents.ts';
import { notices } from './migrations/040-notices.ts';
import { adultFaces } from './migrations/050-adult-faces.ts';
import { photoBodies } from './migrations/060-photo-bodies.ts';
import { leaseEpochs } from './migrations/065-lease-epochs.ts';
import { proofs } from './migrations/080-proof.ts';
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
}

/** Another process has the data folder, or the folder cannot be used; `message` is for the operator. */
export class DataFolderError extends Error {
  override name = 'DataFolderError';
}

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

/** Opens the database and migrates it. Throws {@link DataFolderError}; rejects when PostgreSQL does not answer. */
export async function openDatabase(place: DatabasePlace): Promise<OpenDatabase> {
  const opened = place.databaseUrl
    ? connectPostgres(place.databaseUrl, place.pool ?? 10, place.log)
    : openEmbedded(place.dataDir);
  try {
    await migrate(opened.db, opened.dialect);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return opened;
}

function openEmbedded(dataDir: string): OpenDatabase {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  let hold: ReturnType<typeof holdFolder>;
  try {
    hold = holdFolder(join(dataDir, 'haris.lock'));
  } catch {
    throw new DataFolderError(
      `The data folder ${dataDir} is in use by another Haris. Stop that one first, or set DATA_DIR.`,
    );
  }
  const db = new Kysely<Database>({
    dialect: new EmbeddedDialect({ database: openSqlite(join(dataDir, 'haris.db')) }),
  });
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
  const db = new Kysely<Database>({
    dialect: new SqliteDialect({ database: openSqlite(join(dataDir, 'haris.db'), { readOnly: true }) }),
  });
  return { db, dialect: 'sqlite', close: () => db.destroy() };
}

/** Connects without migrating. */
export function connectPostgres(url: string, max: number, log: Logger): OpenDatabase {
  const pool = new pg.Pool({
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
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { db, dialect: 'postgres', close: () => db.destroy() };
}

async function migrate(db: Kysely<Database>, dialect: Dialect): Promise<void> {
  const migrations: Record<string, Migration> = {
    '001-foundation': foundation(dialect),
    '002-stay-corrections': stayCorrections,
    '003-language-and-reports': languageAndReports,
    '010-cameras': camerasAndSightings(dialect),
    '020-sensors': sensorsAndReadings(dialect),
    '030-incidents': incidentsAndEvacuations,
    '040-notices': notices(dialect),
    '050-adult-faces': adultFaces(dialect),
    '060-photo-bodies': photoBodies(dialect),
    '065-lease-epochs': leaseEpochs,
    '080-proof': proofs,
  };
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** Resolves when the database answers; rejects otherwise. */
export async function pingDatabase(db: Kysely<Database>): Promise<void> {
  await sql`select 1`.execute(db);
}
