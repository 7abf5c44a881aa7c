/** The automatic backup of a used database before a start changes its schema. */
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenDatabase } from '../db/dialect.ts';
import { hasKey } from '../installation.ts';
import { ArchiveError } from './archive.ts';
import { type BackupPlace, backupFolder, makeBackup, NoRoomError } from './make.ts';

/** Number of automatic backups that are kept. */
const KEPT = 3;
const NAME = /^before-[\w-]+\.backup$/;

/** No backup could be made before a migration; `message` is for the operator. */
export class MigrationBackupError extends Error {
  override name = 'MigrationBackupError';
}

/**
 * Makes `backups/before-<migration>-<time>.backup` below the data folder; none for a database without data. Throws
 * {@link MigrationBackupError} and the errors of `makeBackup`, which cancel the migration.
 */
export async function backUpBeforeMigration(
  place: BackupPlace,
  { db }: OpenDatabase,
  to: string,
  now: number,
): Promise<void> {
  if (!(await hasKey(db))) return;
  const folder = backupFolder(place.dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const file = join(folder, `before-${to}-${time}.backup`);
  try {
    const { rows, photos, lost, unreadable } = await makeBackup(place, file);
    place.log.info(
      { rows, photos, lost, unreadable, to },
      'a backup was made before the database is migrated',
    );
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    if (isFull || error instanceof NoRoomError) throw noRoom(folder);
    if (error instanceof ArchiveError)
      throw new MigrationBackupError(
        `the backup before the database is brought up to date cannot be read back: ${error.message}`,
      );
    throw error;
  }
  await removeOld(folder);
}

function noRoom(folder: string): MigrationBackupError {
  return new MigrationBackupError(
    `the database must be brought up to date, and there is no room for the backup before it in ${folder}. ` +
      'Make room there, then start again. Nothing was changed.',
  );
}

async function removeOld(folder: string): Promise<void> {
  const made = readdirSync(folder)
    .filter((name) => NAME.test(name))
    .map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { name } of made.slice(KEPT)) await rm(join(folder, name), { force: true });
}
