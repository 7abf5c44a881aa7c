/** Detects errors caused by a lack of space, in either database and in files. */

/** SQLite's primary result codes, the low byte of `errcode`. */
const SQLITE_FULL = 13;
const SQLITE_IOERR = 10;
/** PostgreSQL's SQLSTATE `disk_full`, and the system's codes for a full disk and an exhausted quota. */
const FULL_CODES: ReadonlySet<string> = new Set(['53100', 'ENOSPC', 'EDQUOT']);

/** No space is left for writing; thrown if the system's own error does not say so. */
export class StorageFullError extends Error {
  override name = 'StorageFullError';
  readonly code = 'ENOSPC';
}

/** SQLite's primary result code; null if the error is not from SQLite. */
function sqliteCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : null;
}

/** Whether a write failed for lack of space. */
export function isStorageFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (sqliteCode(error) === SQLITE_FULL) return true;
  if ('code' in error && FULL_CODES.has(String(error.code))) return true;
  return error.cause !== undefined && isStorageFull(error.cause);
}

/** Whether SQLite could not read or write its files; it does not always report a full disk as the cause. */
export function isSqliteIoError(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_IOERR;
}
