/** Makes a backup: the rows of one moment in one encrypted file, which counts only once it has been read back. */
import { createReadStream, createWriteStream, mkdirSync, readdirSync, statSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Logger } from '@haris/runtime/log';
import { findDiskSpace } from '../data-folder.ts';
import { copyDatabaseFile } from '../db/dump.ts';
import { embeddedFile, openFileReadOnly } from '../db/embedded.ts';
import { connectPostgres } from '../db/postgres.ts';
import { LEAST_ROOM } from '../db/storage.ts';
import { requireMatchingKey } from '../installation.ts';
import { type MasterKey, openMasterKey } from '../vault/master-key.ts';
import { openArchive, sealArchive, through } from './archive.ts';
import { type Checked, type Counts, checkContents, type Source, writeContents } from './contents.ts';
import type { TellProgress } from './progress.ts';

/** What the desk may write beside the copy before its disk counts as full. Bytes. */
const RESERVE = 32 * LEAST_ROOM;

/** There is no room for a backup, or for the copy that it is made of; `message` is for the operator. */
export class NoRoomError extends Error {
  override name = 'NoRoomError';
}

export interface BackupPlace {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly log: Logger;
}

/** Folder of automatic backups, below the data folder. */
export function backupFolder(dataDir: string): string {
  return join(dataDir, 'backups');
}

/**
 * Writes a backup to `file` while the server runs, reads it back with the key on disk, and only then gives it its name.
 * Throws `MasterKeyError` if the key is not the database's, `DatabaseFileError` if the database is damaged,
 * {@link NoRoomError}, and `ArchiveError` if the file cannot be read back. `tell` is called often.
 */
export async function makeBackup(
  place: BackupPlace,
  file: string,
  tell: TellProgress = () => {},
): Promise<Checked> {
  const part = `${file}.part`;
  try {
    const written = await withSource(place, dirname(file), async (source) => {
      const master = openMasterKey(place.dataDir, false);
      await requireMatchingKey(source.db, master);
      return write(source, master, part, tell);
    });
    // The key on disk must open the file on disk, so both are read again.
    const checked = await checkContents(
      readBackup(part, openMasterKey(place.dataDir, false)),
      openMasterKey(place.dataDir, false),
      ({ rows, photos }) =>
        tell({ step: 'check', rows, allRows: written.rows, photos, allPhotos: written.photos }),
    );
    await rename(part, file);
    const folder = await open(dirname(file), 'r');
    await folder.sync().finally(() => folder.close());
    return checked;
  } finally {
    await rm(part, { force: true });
  }
}

/** Decrypts a backup file, to be parsed. Throws `ArchiveError` if it is damaged or has another key. */
export function readBackup(file: string, master: MasterKey): AsyncIterable<Uint8Array> {
  const opened = openArchive(master.derive('backup'), createReadStream(file, { highWaterMark: 1024 * 1024 }));
  return through(opened, createGunzip());
}

async function write(source: Source, master: MasterKey, part: string, tell: TellProgress): Promise<Counts> {
  let counts: Counts = { rows: 0, photos: 0, lost: [] };
  const contents = writeContents(
    source,
    new Date(),
    (final) => {
      counts = final;
    },
    ({ rows, photos }, all) =>
      tell({ step: 'write', rows, allRows: all.rows, photos, allPhotos: all.photos }),
  );
  const sealed = sealArchive(master.derive('backup'), through(contents, createGzip()));
  await pipeline(Readable.from(sealed, { objectMode: false }), createWriteStream(part, { mode: 0o600 }));
  const written = await open(part, 'r+');
  await written.sync().finally(() => written.close());
  return counts;
}

/** `target`: folder of the backup. */
async function withSource<T>(
  place: BackupPlace,
  target: string,
  work: (source: Source) => Promise<T>,
): Promise<T> {
  const { dataDir, databaseUrl, log } = place;
  if (databaseUrl) {
    const { db, dialect, close } = connectPostgres(databaseUrl, 2, log);
    return work({ db, dialect, dataDir }).finally(close);
  }
  const folder = backupFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await removeSnapshots(folder);
  await requireRoomForCopy(embeddedFile(dataDir), folder, target);
  const snapshot = join(folder, `snapshot-${process.pid}.db`);
  try {
    copyDatabaseFile(embeddedFile(dataDir), snapshot);
    const { db, dialect, close } = openFileReadOnly(snapshot);
    return await work({ db, dialect, dataDir }).finally(close);
  } finally {
    await rm(snapshot, { force: true });
  }
}

/** The copy, and the backup if that is on the same disk, are each at most as large as the database. */
async function requireRoomForCopy(database: string, folder: string, target: string): Promise<void> {
  const log = statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const bytes = statSync(database).size + log;
  const isOnSameDisk = (await stat(folder)).dev === (await stat(target)).dev;
  await requireRoom(folder, (isOnSameDisk ? 2 : 1) * bytes, 'a copy of the database while it is made');
}

/**
 * Throws {@link NoRoomError} unless the disk of `folder` has room for so many bytes: they must not fill the disk that the
 * desk writes to. `what`: what the folder is to hold, in words.
 */
export async function requireRoom(folder: string, bytes: number, what: string): Promise<void> {
  const { freeBytes, totalBytes } = await findDiskSpace(folder);
  // Not every system reports it.
  if (totalBytes === 0 || freeBytes >= bytes + RESERVE) return;
  throw new NoRoomError(`There is no room for it in ${folder}, which holds ${what}.`);
}

/** Removes unfinished copies that killed programs left. */
async function removeSnapshots(folder: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    const pid = /^snapshot-(\d+)\.db(?:-journal)?$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { force: true });
  }
}

/** Whether another process with this id is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch (error) {
    // Another user's process has this id.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
