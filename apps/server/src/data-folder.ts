/** The data folder: restricts its permissions, measures free disk space, and stores the time of the last backup. */
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
import { isAbsolute, join, relative, sep } from 'node:path';
import { describeFailure, type Logger } from '@haris/runtime/log';
import { z } from 'zod';

/** Folders that Haris creates below the data folder; it leaves others (videos for cameras) alone. */
const OWN_FOLDERS = ['backups', 'keys', 'outbox'];
/**
 * Folders of sealed photos from before photos were rows. Only the folders are restricted: the files are sealed, and there
 * may be many.
 */
const isPhotoFolder = (name: string) => name === 'photos' || name.startsWith('photos-migrated-');

/**
 * Creates the folder if needed and restricts it to this user: folders 0700, files 0600. Logs files and folders that
 * belong to another user, and leaves them unchanged.
 */
export function protectDataFolder(dataDir: string, log: Logger): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const protect = (path: string, mode: number): void => {
    try {
      // Changes only entries that others can access: the owner may have made a folder read-only on purpose.
      if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, mode);
    } catch (error) {
      // Another server on the same folder may have just sent this mail.
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

/** Whether neither of two absolute paths lies in the other. */
export function areApart(one: string, other: string): boolean {
  const isWithin = (inner: string, outer: string): boolean => {
    const way = relative(outer, inner);
    return !isAbsolute(way) && way.split(sep)[0] !== '..';
  };
  return !isWithin(one, other) && !isWithin(other, one);
}

const LAST_BACKUP = 'last-backup.json';
const lastBackupSchema = z.object({ at: z.number() });

/** Stores the time of the last backup. Milliseconds since 1970. */
export function writeLastBackup(dataDir: string, at: number): void {
  const file = join(dataDir, LAST_BACKUP);
  writeFileSync(`${file}.part`, JSON.stringify({ at }), { mode: 0o600 });
  renameSync(`${file}.part`, file);
}

/** Time of the last backup; null if there was none, or if it is unknown. */
export function readLastBackup(dataDir: string): number | null {
  try {
    return lastBackupSchema.parse(JSON.parse(readFileSync(join(dataDir, LAST_BACKUP), 'utf8'))).at;
  } catch {
    return null;
  }
}

export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Free and total space of the disk that holds the folder. */
export async function findDiskSpace(dataDir: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

const GIB = 1024 ** 3;
/**
 * Limits of free space, as a part of the disk and as bytes. The disk is nearly full below either limit of `FULL`, and well
 * again above both limits of `WELL`.
 */
export const FULL = { part: 0.1, bytes: GIB };
export const WELL = { part: 0.12, bytes: 1.2 * GIB };

/** Whether a disk has less free space than a limit. Pure. */
export function isBelow(
  { freeBytes, totalBytes }: DiskSpace,
  mark: { part: number; bytes: number },
): boolean {
  return freeBytes < mark.bytes || freeBytes < mark.part * totalBytes;
}
