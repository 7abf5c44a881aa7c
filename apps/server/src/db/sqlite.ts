/** The embedded database: adapts node:sqlite to the interface of Kysely's SQLite dialect. */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { mayBeOpen } from './damage.ts';
import { isSqliteIoError, StorageFullError } from './storage-full.ts';

type Parameter = null | number | bigint | string | Uint8Array;

/** Refuses values that no column can hold: node:sqlite silently stores a Date as NULL. */
function checked(parameters: readonly unknown[]): Parameter[] {
  return parameters.map((value) => {
    if (
      value === null ||
      typeof value === 'number' ||
      typeof value === 'bigint' ||
      typeof value === 'string' ||
      value instanceof Uint8Array
    )
      return value;
    throw new TypeError(`a ${typeof value} cannot be stored`);
  });
}

/** Size of the statement cache; the product has some hundred statements. */
const STATEMENTS_KEPT = 500;
/** Largest single write of SQLite, which extends its shared memory. Bytes. */
const LEAST_WRITE = 64 * 1024;

/**
 * Opens or creates the file with WAL and full sync: committed data survives `kill -9` and power loss. `secure_delete`
 * overwrites freed pages, so that a destroyed key is gone from the file too. `isUntouched`, with `readOnly`: see
 * {@link connectUntouched}.
 */
export function openSqlite(file: string, { readOnly = false, isUntouched = false } = {}) {
  const database = isUntouched
    ? connectUntouched(file)
    : new DatabaseSync(file, { readOnly, timeout: 5_000 });
  if (!readOnly) {
    database.exec('pragma journal_mode = wal');
    database.exec('pragma synchronous = full');
    database.exec('pragma secure_delete = on');
  }
  database.exec('pragma foreign_keys = on');
  const statements = new Map<string, StatementSync>();

  function prepared(sql: string): StatementSync {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    if (statements.size >= STATEMENTS_KEPT) statements.clear();
    statements.set(sql, statement);
    return statement;
  }

  /** True from `begin` until `commit` or `rollback`. */
  let isOpen = false;
  /** Why SQLite rolled the open transaction back by itself, for example because of a full disk. */
  let lostBecause: unknown = null;

  /** Runs a statement; reports a full disk if SQLite only reports a failed write. */
  function attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const failure =
        isSqliteIoError(error) && !hasRoom(file) ? new StorageFullError('', { cause: error }) : error;
      if (isOpen && !database.isTransaction) lostBecause ??= failure;
      throw failure;
    }
  }

  /** Prevents the statements after SQLite's own rollback from committing one by one. */
  function refuseIfLost(): void {
    if (isOpen && !database.isTransaction) throw lostBecause ?? new Error('the transaction was rolled back');
  }

  function endTransaction(sql: string, statement: StatementSync) {
    const isLost = sql === 'rollback' && !database.isTransaction;
    if (sql === 'commit') refuseIfLost();
    const result = isLost ? { changes: 0, lastInsertRowid: 0 } : attempt(() => statement.run());
    isOpen = false;
    lostBecause = null;
    return result;
  }

  return {
    close: () => database.close(),
    prepare(text: string) {
      // Takes the write lock at once: a transaction that reads first could fail at its first write.
      const sql = text === 'begin' && !readOnly ? 'begin immediate' : text;
      const statement = prepared(sql);
      return {
        reader: statement.columns().length > 0,
        all(parameters: readonly unknown[]) {
          refuseIfLost();
          return attempt(() => statement.all(...checked(parameters)));
        },
        run(parameters: readonly unknown[]) {
          if (sql === 'commit' || sql === 'rollback') return endTransaction(sql, statement);
          refuseIfLost();
          const result = attempt(() => statement.run(...checked(parameters)));
          if (text === 'begin') isOpen = true;
          return result;
        },
        // A cached statement can iterate only one result at a time.
        iterate: (parameters: readonly unknown[]) =>
          database.prepare(sql).iterate(...checked(parameters)) as IterableIterator<unknown>,
      };
    },
  };
}

/**
 * Opens a file read-only and leaves no other file beside it. Even to read, SQLite makes `-wal` and `-shm` beside a
 * database that nobody has open, unless the file is declared immutable; while Haris runs, both are there. An empty log is
 * one too: a server may write at any moment, and an immutable file is read without its log and its locks. For short looks
 * only: a server that starts meanwhile changes the file.
 */
export function connectUntouched(file: string): DatabaseSync {
  const options = { readOnly: true, timeout: 5_000 };
  if (mayBeOpen(file)) return new DatabaseSync(file, options);
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, options);
}

/** Whether the disk of a file has free space; true if the system does not report it. */
function hasRoom(file: string): boolean {
  try {
    const { bavail, bsize, blocks } = statfsSync(dirname(file));
    return blocks === 0 || bavail * bsize >= LEAST_WRITE;
  } catch {
    return true;
  }
}

/**
 * Locks the data folder for this process until it ends (also by `kill -9`): an OS lock on a separate file. Throws if
 * another process holds it.
 */
export function holdFolder(file: string): { release(): void } {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('pragma locking_mode = exclusive');
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    throw error;
  }
  return { release: () => database.close() };
}
