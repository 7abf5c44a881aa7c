/**
 * `npm run backup -- FILE`: one consistent, encrypted file of everything, while the server runs. A terminal shows how far it
 * is. Exit status: 0 complete, 1 none was made, 2 wrong arguments, 3 made, but some photos are lost.
 */
import { resolve } from 'node:path';
import { ConfigError } from '@haris/runtime/config';
import { createLogger } from '@haris/runtime/log';
import { loadPlace } from '../config.ts';
import { writeLastBackup } from '../data-folder.ts';
import { DatabaseFileError } from '../db/damage.ts';
import { MasterKeyError, masterKeyFile, openMasterKey, recoveryKeyOf } from '../vault/master-key.ts';
import { ArchiveError } from './archive.ts';
import { makeBackup, NoRoomError } from './make.ts';
import { showProgress } from './progress.ts';

// Files are readable for this user only.
process.umask(0o077);

const NOT_MADE = 1;
const MISUSED = 2;
const MADE_WITHOUT_SOME = 3;

/** Stores the time, so that the server can warn about an old backup. A backup counts even if this fails. */
function noteBackup(dataDir: string): void {
  try {
    writeLastBackup(dataDir, Date.now());
  } catch {
    process.stderr.write('That it was made could not be noted in DATA_DIR: Haris may call it overdue.\n');
  }
}

async function backup(file: string): Promise<void> {
  const { dataDir, databaseUrl, logLevel } = readPlace();
  const progress = showProgress(process.stderr);
  const log = createLogger('backup', logLevel);
  const made = await makeBackup({ dataDir, databaseUrl, log }, file, progress.tell).finally(progress.end);
  noteBackup(dataDir);
  process.stdout.write(
    `Backed up ${made.rows} rows and ${made.photos} photos to ${file}, and read it back.\n` +
      `It can be read only with the master key (${masterKeyFile('DATA_DIR')}, or npm run backup -- --recovery-key): keep that apart.\n`,
  );
  for (const id of made.lost)
    process.stderr.write(`The photo ${id} is lost: its bytes are not in the database.\n`);
  for (const id of made.unreadable)
    process.stderr.write(
      `The photo ${id} cannot be opened with the key of its owner; it is kept as it is.\n`,
    );
  if (made.lost.length + made.unreadable.length > 0) process.exitCode = MADE_WITHOUT_SOME;
}

function readPlace() {
  return loadPlace(process.env, { demo: process.argv.includes('--demo'), base: process.cwd() });
}

const words = process.argv.slice(2).filter((word) => word !== '--demo');
try {
  if (words[0] === '--recovery-key') {
    const { dataDir } = readPlace();
    openMasterKey(dataDir, false);
    process.stdout.write(
      `${recoveryKeyOf(dataDir)}\nWhoever has this and a backup can read everything. Keep the two apart.\n`,
    );
  } else if (words.length === 1 && words[0] && !words[0].startsWith('-')) await backup(resolve(words[0]));
  else {
    process.stderr.write('Usage: npm run backup -- FILE   (or --recovery-key)\n');
    process.exitCode = MISUSED;
  }
} catch (error) {
  const known = [ConfigError, MasterKeyError, DatabaseFileError, NoRoomError, ArchiveError].some(
    (kind) => error instanceof kind,
  );
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  const reason = known && error instanceof Error ? ` ${error.message}` : '';
  process.stderr.write(`The backup was not made${code}.${reason}\n`);
  process.exitCode = NOT_MADE;
}
