/** Opens the embedded SQLite database: for the one server that locks the data folder, or read-only beside it. */
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, SqliteAdapter, SqliteDialect } from 'kysely';
import { checkDatabaseFile, sqliteCode } from './damage.ts';
import { type FailureListener, logFailures, type OpenDatabase } from './dialect.ts';
import { FacilityPlugin } from './facility-plugin.ts';
import type { Database } from './schema.ts';
import { holdFolder, openSqlite } from './sqlite.ts';

/** Path of the embedded database. */
export function embeddedFile(dataDir: string): string {
  return join(dataDir, 'haris.db');
}

/** Another process has locked the data folder, or the folder cannot be used; `message` is for the operator. */
export class DataFolderError extends Error {
  override name = 'DataFolderError';
}

/** Another process has locked the file. */
const SQLITE_BUSY = 5;

/** Lets migrations run in transactions: SQLite can roll schema changes back, though Kysely assumes that it cannot. */
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

/** Locks the data folder, which is made if needed, until `release`. Throws {@link DataFolderError}. */
export function holdDataFolder(dataDir: string): { release(): void } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    return holdFolder(join(dataDir, 'haris.lock'));
  } catch (error) {
    if (sqliteCode(error) !== SQLITE_BUSY)
      throw new DataFolderError(
        `The data folder ${dataDir} cannot be written. Make it writable for this user, or set DATA_DIR.`,
      );
    throw new DataFolderError(
      `The data folder ${dataDir} is in use by another Haris. Stop that one first, or set DATA_DIR.`,
    );
  }
}

/** Opens the embedded database without migrating it. Throws {@link DataFolderError}, `DatabaseFileError`. */
export function openEmbedded(dataDir: string, onFailure: FailureListener): OpenDatabase {
  const hold = holdDataFolder(dataDir);
  let db: Kysely<Database>;
  try {
    checkDatabaseFile(embeddedFile(dataDir));
    db = new Kysely<Database>({
      dialect: new EmbeddedDialect({ database: openSqlite(embeddedFile(dataDir)) }),
      plugins: [new FacilityPlugin('sqlite')],
      ...logFailures(onFailure),
    });
  } catch (error) {
    hold.release();
    throw error;
  }
  // The folder may be from an older version and readable by others.
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

/** Opens the embedded database of a running Haris read-only. */
export function openEmbeddedReadOnly(dataDir: string): OpenDatabase {
  return openFileReadOnly(embeddedFile(dataDir));
}

/**
 * Opens the embedded database read-only for a short look, whether Haris runs or not, and leaves no file beside it. Throws
 * `DatabaseFileError`.
 */
export function openEmbeddedUntouched(dataDir: string): OpenDatabase {
  const file = embeddedFile(dataDir);
  checkDatabaseFile(file);
  return openFileReadOnly(file, { isUntouched: true });
}

/** Opens the file of an embedded database, or a copy of one, read-only. */
export function openFileReadOnly(file: string, { isUntouched = false } = {}): OpenDatabase {
  const db = new Kysely<Database>({
    dialect: new SqliteDialect({ database: openSqlite(file, { readOnly: true, isUntouched }) }),
  });
  return { db, dialect: 'sqlite', close: () => db.destroy() };
}
