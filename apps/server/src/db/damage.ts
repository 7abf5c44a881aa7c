/** Explains in one line why the file of the embedded database cannot be used, for the operator. */
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** The embedded database cannot be used; `message` is for the operator. */
export class DatabaseFileError extends Error {
  override name = 'DatabaseFileError';
}

/** https://sqlite.org/fileformat.html#the_database_header: offsets in bytes. */
const HEADER_BYTES = 100;
const MAGIC = Buffer.from('SQLite format 3\0');
const PAGE_SIZE_AT = 16;
const CHANGES_AT = 24;
const PAGES_AT = 28;
/** The page count is valid if the number here equals the change counter. */
const VALID_FOR_AT = 92;

const whatToDo = (file: string) =>
  `Move ${file}, ${file}-wal and ${file}-shm away, keep them, and restore the last backup (npm run restore -- FILE).`;

/**
 * Checks the header and the length of the file before SQLite opens it. Throws {@link DatabaseFileError} if the file is
 * not a database or is shorter than its header says. Accepts a missing file.
 */
export function checkDatabaseFile(file: string): void {
  const header = Buffer.alloc(HEADER_BYTES);
  let length: number;
  try {
    const handle = openSync(file, 'r');
    try {
      length = fstatSync(handle).size;
      readSync(handle, header, 0, HEADER_BYTES, 0);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw error;
  }
  // SQLite creates an empty file before it first writes.
  if (length === 0) return;
  if (length < HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC))
    throw new DatabaseFileError(
      `${file} is damaged: its header is not that of a database. ${whatToDo(file)}`,
    );
  const size = header.readUInt16BE(PAGE_SIZE_AT);
  const pages = header.readUInt32BE(PAGES_AT);
  const isCounted = header.readUInt32BE(CHANGES_AT) === header.readUInt32BE(VALID_FOR_AT);
  // With a write-ahead log, pages missing from the file may be in the log.
  if (isCounted && !hasLog(file) && length < pages * (size === 1 ? 65_536 : size))
    throw new DatabaseFileError(`${file} is damaged: a part of it is missing at its end. ${whatToDo(file)}`);
}

/** Whether a database has changes in its write-ahead log: a program has it open, or was killed. */
function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * Whether a database has a write-ahead log, be it empty: a program may have it open. The log of a server that has written
 * nothing yet, or has just moved everything into the file, is empty.
 */
export function mayBeOpen(file: string): boolean {
  return existsSync(`${file}-wal`);
}

/** Primary result codes: https://sqlite.org/rescode.html */
const WORDS: Readonly<Record<number, (file: string) => string>> = {
  5: (file) => `${file} is in use by another program.`,
  8: (file) => `${file} cannot be written. Make it and its folder writable for this user.`,
  10: (file) => `the disk that ${file} lies on fails. Look at the disk before anything else.`,
  11: (file) => `${file} is damaged. ${whatToDo(file)}`,
  13: (file) => `the disk that ${file} lies on is full.`,
  14: (file) =>
    `${file} cannot be opened or made. Make it and its folder readable and writable for this user.`,
  26: (file) => `${file} is damaged: it is not a database any more. ${whatToDo(file)}`,
};

/** SQLite's primary result code; undefined if the error is not from SQLite. */
export function sqliteCode(error: unknown): number | undefined {
  const isSqlite = error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
  return isSqlite && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;
}

/** Converts SQLite's error about an unusable file to a {@link DatabaseFileError}; returns all other errors unchanged. */
export function explainDatabaseFile(file: string, error: unknown): unknown {
  const words = WORDS[sqliteCode(error) ?? -1];
  return words ? new DatabaseFileError(words(file)) : error;
}
