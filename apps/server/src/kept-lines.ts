/** Files of lines in the data folder: outside the database, so that they survive the restore of an older one. */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolderError } from './db/embedded.ts';

/** Names of these files. Each is taken over by a restore, and copied beside the nightly backups. */
export const KEPT_FILES: readonly string[] = ['audit-heads.log', 'bars.log', 'erasures.log'];

/** What the database says, kept in a file beside it. */
export interface KeptRecord {
  /**
   * Appends what the database has and the file lacks, and syncs it to disk; makes the file if there is none. Call it after each
   * such commit, before the answer, and at start. Never rejects: after a failure, the next call writes it.
   */
  update(): Promise<void>;
}

export function hasKeptLines(dataDir: string, name: string): boolean {
  return existsSync(join(dataDir, name));
}

/** The lines of a file, none if it does not exist. Throws {@link DataFolderError} if it cannot be read. */
export function readKeptLines(dataDir: string, name: string): string[] {
  try {
    return readFileSync(join(dataDir, name), 'utf8').split('\n');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return [];
    // Without it, a restore could undo what must last.
    throw new DataFolderError(
      `${name} in the data folder ${dataDir} cannot be read (${code}). It must be a file that this user may read and write.`,
    );
  }
}

/**
 * Appends lines and syncs them to disk; makes the file if there is none. Each line starts with a line break, in case a crash cut off
 * the last one. A single write, because several servers may share the folder.
 */
export function appendKeptLines(dataDir: string, name: string, lines: readonly string[]): void {
  if (lines.length === 0 && hasKeptLines(dataDir, name)) return;
  const file = openSync(join(dataDir, name), 'a', 0o600);
  try {
    writeSync(file, lines.map((line) => `\n${line}`).join(''));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  const folder = openSync(dataDir, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/**
 * Overwrites lines with spaces and syncs that to disk. The file keeps its length: a server that appends meanwhile loses nothing,
 * as it would if the file were replaced.
 */
export function blankKeptLines(dataDir: string, name: string, isGone: (line: string) => boolean): void {
  const path = join(dataDir, name);
  const file = openSync(path, 'r+');
  try {
    let at = 0;
    // One byte is one character, so that positions hold after damaged bytes too.
    for (const line of readFileSync(path, 'latin1').split('\n')) {
      if (isGone(line)) writeSync(file, Buffer.alloc(line.length, ' '), 0, line.length, at);
      at += line.length + 1;
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
