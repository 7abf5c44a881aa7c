/** `npm run restore -- FILE`: checks a backup from beginning to end, then fills an unused data folder or database with it. */
import { createReadStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createGunzip } from 'node:zlib';
import { ConfigError } from '@haris/runtime/config';
import { createLogger } from '@haris/runtime/log';
import { keepAuditHead } from '../audit-heads.ts';
import { loadConfig } from '../config.ts';
import { findAuditHead, verifyAuditTrail } from '../db/audit.ts';
import { DataFolderError, openDatabase } from '../db/open.ts';
import {
  type MasterKey,
  MasterKeyError,
  masterKeyFile,
  masterKeyFromRecovery,
  openMasterKey,
  writeMasterKey,
} from '../vault/master-key.ts';
import { openVault } from '../vault/vault.ts';
import { ArchiveError, openArchive, through } from './archive.ts';
import { checkContents, isUnused, restoreContents } from './contents.ts';

// Whatever is written belongs to this user alone.
process.umask(0o077);

/** The target is in use; `message` is for the operator. */
class TargetError extends Error {
  override name = 'TargetError';
}

function contentsOf(file: string, master: MasterKey): AsyncIterable<Uint8Array> {
  const opened = openArchive(master.derive('backup'), createReadStream(file, { highWaterMark: 1024 * 1024 }));
  return through(opened, createGunzip());
}

async function restore(file: string): Promise<void> {
  const config = loadConfig(process.env, { demo: process.argv.includes('--demo'), base: process.cwd() });
  const recovery = process.env.RECOVERY_KEY?.trim();
  const keyFile = masterKeyFile(config.dataDir);
  if (!recovery && !existsSync(keyFile))
    throw new MasterKeyError(
      `There is no master key ${keyFile} to read the backup with. Set RECOVERY_KEY to what ` +
        '`npm run backup -- --recovery-key` showed where the backup was made, or copy that key file here.',
    );
  const master = recovery ? masterKeyFromRecovery(recovery) : openMasterKey(config.dataDir, false);
  // The whole file, before anything is touched.
  const counts = await checkContents(contentsOf(file, master));
  const database = await openDatabase({
    isPatient: true,
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    log: createLogger('restore', config.logLevel),
  });
  try {
    if (!(await isUnused(database.db)))
      throw new TargetError(
        'There is data already. Restore into an empty DATA_DIR (and an empty database, with DATABASE_URL).',
      );
    if (recovery) writeMasterKey(config.dataDir, recovery);
    await restoreContents(database.db, database.dialect, contentsOf(file, master));
    const vault = openVault(master);
    const verdict = await verifyAuditTrail(database.db, vault);
    // The log ends earlier now, and rightly so.
    const head = await findAuditHead(database.db, vault);
    if (head) await keepAuditHead(config.dataDir, vault, head, 'restored', Date.now());
    process.stdout.write(
      `Restored ${counts.rows} rows and ${counts.photos} photos of ${counts.at} into ${config.databaseUrl ? 'the database' : config.dataDir}\n` +
        (verdict.whole
          ? `The audit log is whole: ${verdict.rows} rows.\n`
          : `The audit log is broken at row ${verdict.seq}, as it was when the backup was made: ${verdict.reason}.\n`),
    );
  } finally {
    await database.close();
  }
}

const file = process.argv.slice(2).find((word) => !word.startsWith('-'));
if (!file) {
  process.stderr.write(
    'Usage: npm run restore -- FILE   (with RECOVERY_KEY where there is no master key yet)\n',
  );
  process.exitCode = 2;
} else
  try {
    await restore(resolve(file));
  } catch (error) {
    const known = [ConfigError, MasterKeyError, ArchiveError, TargetError, DataFolderError].some(
      (kind) => error instanceof kind,
    );
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const words =
      known && error instanceof Error
        ? error.message
        : `The backup could not be restored${code && ` (${code})`}.`;
    process.stderr.write(`${words}\nNothing was changed.\n`);
    process.exitCode = 1;
  }
