/** Opens the database (embedded SQLite, or PostgreSQL by its address) and brings its schema up to date. */
import type { Logger } from '@haris/runtime/log';
import { explainDatabaseFile } from './damage.ts';
import type { FailureListener, OpenDatabase } from './dialect.ts';
import { embeddedFile, openEmbedded } from './embedded.ts';
import { migrate, newestMigration, refuseNewer } from './migrate.ts';
import { connectPostgres, SERVER_LIMITS } from './postgres.ts';

export interface DatabasePlace {
  readonly databaseUrl: string | null;
  /** Absolute; the embedded database is `haris.db` in it. */
  readonly dataDir: string;
  readonly pool?: number;
  readonly log: Logger;
  /** Disables the time limit of statements, because no request waits for them. */
  readonly isPatient?: boolean;
  /** Called with the error of every failed statement. */
  readonly onFailure?: FailureListener;
  /** Called before the schema is changed; may throw to protect the database. */
  readonly admit?: (database: OpenDatabase) => Promise<void>;
  /** Called before an existing schema is changed; may throw to cancel. `to` is the newest migration. */
  readonly beforeMigration?: (database: OpenDatabase, to: string) => Promise<void>;
  /** Migrates an empty database only up to this migration. */
  readonly upTo?: string;
}

/**
 * Opens the database and migrates it. Throws {@link DataFolderError}, {@link DatabaseFileError}, {@link
 * NewerDatabaseError}; rejects if PostgreSQL does not respond.
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
    const newest = newestMigration(dialect);
    if (done.length > 0 && !done.includes(newest)) await place.beforeMigration?.(opened, newest);
    const upTo = done.length === 0 ? place.upTo : undefined;
    await (databaseUrl ? migratePostgres(databaseUrl, log, upTo) : migrate(db, dialect, upTo));
  } catch (error) {
    await opened.close();
    throw explain(error);
  }
  return opened;
}

/** Uses a separate connection, because changing a large table may exceed the time limit of a request. */
async function migratePostgres(url: string, log: Logger, upTo?: string): Promise<void> {
  const { db, dialect, close } = connectPostgres(url, 1, log);
  await migrate(db, dialect, upTo).finally(close);
}
