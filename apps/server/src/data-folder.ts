/** Keeps the data folder to the user that runs the server, and knows its room and when it was backed up last. */
import {
  chmodSync,
  type Dirent,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { describeFailure, type Logger } from '@haris/runtime/log';
import { z } from 'zod';

/** Folders of ours below the data folder; what else lies there (films for cameras) is its owner's to keep. */
const OWN_FOLDERS = ['backups', 'keys', 'outbox'];
/** Photos of before they were rows; sealed, and they may be many: of them only the folders are looked at. */
const isPhotoFolder = (name: string) => name === 'photos' || name.startsWith('photos-migrated-');

/**
 * Makes the folder where there is none, and takes it away from all others: folders 0700, files 0600. What belongs to
 * another user stays as it is, and is logged.
 */
export function protectDataFolder(dataDir: string, log: Logger): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const protect = (path: string, mode: number): void => {
    try {
      // Only where something is to be taken away: a folder may be read-only to its owner on purpose.
      if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, mode);
    } catch (error) {
      // A mail may have been sent meanwhile by another server on the same folder.
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
      log.warn(describeFailure(error), 'others may read what is in the data folder: not ours to change');
    }
  };
  protect(dataDir, 0o700);
  for (const entry of entriesOf(dataDir)) {
    const path = join(dataDir, entry.name);
    if (entry.isFile()) protect(path, 0o600);
    const photos = isPhotoFolder(entry.name);
    if (!entry.isDirectory() || !(photos || OWN_FOLDERS.includes(entry.name))) continue;
    protect(path, 0o700);
    for (const inner of entriesOf(path)) {
      if (inner.isDirectory()) protect(join(path, inner.name), 0o700);
      else if (inner.isFile() && !photos) protect(join(path, inner.name), 0o600);
    }
  }
}

function entriesOf(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true });
}

const LAST_BACKUP = 'last-backup.json';
const lastBackupSchema = z.object({ at: z.number() });

/** Notes that a backup was made. Milliseconds since 1970. */
export function writeLastBackup(dataDir: string, at: number): void {
  const file = join(dataDir, LAST_BACKUP);
  writeFileSync(`${file}.part`, JSON.stringify({ at }), { mode: 0o600 });
  renameSync(`${file}.part`, file);
}

/** When the last backup was made; null where none was, or nobody can say. */
export function readLastBackup(dataDir: string): number | null {
  try {
    return lastBackupSchema.parse(JSON.parse(readFileSync(join(dataDir, LAST_BACKUP), 'utf8'))).at;
  } catch {
    return null;
  }
}

/** Room on the disk that the folder lies on. */
export async function findDiskSpace(dataDir: string): Promise<{ freeBytes: number; totalBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
