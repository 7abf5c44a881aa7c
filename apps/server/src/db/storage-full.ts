/** Tells from a failure that there was no room left to write, on either database and for files. */

/** SQLite's primary result codes, the low byte of `errcode`. */
const SQLITE_FULL = 13;
const SQLITE_IOERR = 10;
/** PostgreSQL's SQLSTATE `disk_full`, and what the system says for a full disk and a used-up quota. */
const FULL_CODES: ReadonlySet<string> = new Set(['53100', 'ENOSPC', 'EDQUOT']);

/** There is no room left to write; thrown where the system's own failure does not say so. */
export class StorageFullError extends Error {
  override name = 'StorageFullError';
  readonly code = 'ENOSPC';
}

/** SQLite's primary result code; null for what is no failure of SQLite. */
function sqliteCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : null;
}

/** Whether a write failed because no room is left. */
export function isStorageFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (sqliteCode(error) === SQLITE_FULL) return true;
  if ('code' in error && FULL_CODES.has(String(error.code))) return true;
  return error.cause !== undefined && isStorageFull(error.cause);
}

/** Whether SQLite could not read or write its files; it does not always say that a full disk is why. */
export function isSqliteIoError(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_IOERR;
}
