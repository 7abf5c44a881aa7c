/** `npm run restore -- FILE`: checks a backup from beginning to end, then fills an unused data folder or database with it. */
import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '@haris/runtime/config';
import { createLogger } from '@haris/runtime/log';
import type { Kysely } from 'kysely';
import { keepAuditHead } from '../audit-heads.ts';
import { systemClock } from '../clock.ts';
import { loadConfig } from '../config.ts';
import { findAuditHead, openAuditTrail, verifyAuditTrail } from '../db/audit.ts';
import { findHomeAssistantAccounts } from '../db/broker-accounts.ts';
import { findPairedCameras } from '../db/camera-devices.ts';
import { findCameras } from '../db/cameras.ts';
import { DatabaseFileError } from '../db/damage.ts';
import { eraseDestroyedKeys } from '../db/data-keys.ts';
import type { OpenDatabase } from '../db/dialect.ts';
import { isUnused } from '../db/dump.ts';
import { DataFolderError } from '../db/embedded.ts';
import { findErasures } from '../db/erasures.ts';
import { isKnownMigration, NewerDatabaseError } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import type { Database } from '../db/schema.ts';
import { sealedMarkFile } from '../db/seal-old-rows.ts';
import { findSensors } from '../db/sensors.ts';
import { hasRecordSince, readErasures } from '../erasure/record.ts';
import { replayErasures } from '../erasure/replay.ts';
import {
  type MasterKey,
  MasterKeyError,
  masterKeyFile,
  masterKeyFromRecovery,
  openMasterKey,
  writeMasterKey,
} from '../vault/master-key.ts';
import { openVault } from '../vault/vault.ts';
import { ArchiveError } from './archive.ts';
import { checkContents } from './contents.ts';
import { fillDatabase, finishFilling } from './fill.ts';
import { readBackup } from './make.ts';

// Files are readable for this user only.
process.umask(0o077);

/** The target is in use; `message` is for the operator. */
class TargetError extends Error {
  override name = 'TargetError';
}

/** Set once the target has been changed: a later failure leaves it half filled. */
let hasBegun = false;

function readMasterKey(dataDir: string, recovery: string | null): MasterKey {
  const keyFile = masterKeyFile(dataDir);
  if (!recovery && !existsSync(keyFile))
    throw new MasterKeyError(
      `There is no master key ${keyFile} to read the backup with. Set RECOVERY_KEY to what ` +
        '`npm run backup -- --recovery-key` showed where the backup was made, or copy that key file here.',
    );
  return recovery ? masterKeyFromRecovery(recovery) : openMasterKey(dataDir, false);
}

async function requireUnused({ db, dialect }: OpenDatabase): Promise<void> {
  if (!(await isUnused(db, dialect)))
    throw new TargetError(
      'There is data already. Restore into an empty DATA_DIR (and an empty database, with DATABASE_URL).',
    );
}

/** What the operator looks through if the data folder does not say what was erased and revoked since the backup. */
async function warnOfReturned(db: Kysely<Database>, at: string): Promise<string> {
  const paired = await findPairedCameras(db);
  const keys: [what: string, names: string[]][] = [
    ['sensors', (await findSensors(db)).map(({ name }) => name)],
    ['cameras', (await findCameras(db)).filter(({ id }) => paired.has(id)).map(({ name }) => name)],
    ['Home Assistant', (await findHomeAssistantAccounts(db)).map(({ name }) => name)],
  ];
  return (
    `DATA_DIR has no erasures.log that goes on from this backup. Whoever was deleted after ${at} is back, and keys that were revoked work again.\n` +
    'If the old data folder still has that file, copy it into DATA_DIR before you start Haris: the start deletes and revokes them again.\n' +
    'Otherwise look through the people, and renew or delete those of these keys that should not work:\n' +
    keys.map(([what, names]) => `  ${what}: ${names.length > 0 ? names.join(', ') : 'none'}\n`).join('')
  );
}

async function restore(file: string): Promise<void> {
  const config = loadConfig(process.env, { demo: process.argv.includes('--demo'), base: process.cwd() });
  const { databaseUrl, dataDir, recoveryKey: recovery } = config;
  const master = readMasterKey(dataDir, recovery);
  // The whole file is checked before anything is changed.
  const checked = await checkContents(readBackup(file, master), master);
  if (!isKnownMigration(checked.schema, databaseUrl ? 'postgres' : 'sqlite'))
    throw new TargetError('The backup was made by a newer Haris. Restore it with that version.');
  const log = createLogger('restore', config.logLevel);
  const database = await openDatabase({
    isPatient: true,
    databaseUrl,
    dataDir,
    log,
    upTo: checked.schema,
    admit: requireUnused,
  });
  const { db, dialect } = database;
  try {
    if (recovery) writeMasterKey(dataDir, recovery);
    hasBegun = true;
    // The next start seals the rows of an older version's backup.
    rmSync(sealedMarkFile(dataDir), { force: true });
    await fillDatabase({ db, dialect, open: () => readBackup(file, master) });
    const vault = openVault(master);
    const knowsSince = hasRecordSince(dataDir, await findErasures(db));
    const replayed = await replayErasures(db, openAuditTrail(vault, systemClock), readErasures(dataDir));
    await eraseDestroyedKeys({ db, dialect, log });
    await finishFilling(db);
    const verdict = await verifyAuditTrail(db, vault);
    // The restored log ends before the kept heads, and this line makes that valid.
    const head = await findAuditHead(db, vault);
    if (head) await keepAuditHead(dataDir, vault, head, 'restored', Date.now());
    process.stdout.write(
      `Restored ${checked.rows} rows and ${checked.photos} photos of ${checked.at} into ${databaseUrl ? 'the database' : dataDir}\n` +
        (replayed.people > 0
          ? `${replayed.people} people or faces that were erased since the backup were erased again.\n`
          : '') +
        (replayed.keys > 0
          ? `${replayed.keys} keys of sensors, cameras or Home Assistant that were revoked since the backup were revoked again.\n`
          : '') +
        'Everybody signs in again: sessions and links that were mailed are not in a backup.\n' +
        (verdict.whole
          ? `The audit log is whole: ${verdict.rows} rows.\n`
          : `The audit log is broken at row ${verdict.seq}, as it was when the backup was made: ${verdict.reason}.\n`),
    );
    if (!knowsSince) process.stderr.write(await warnOfReturned(db, checked.at));
    for (const id of [...checked.lost, ...checked.unreadable])
      process.stderr.write(`The photo ${id} cannot be shown: it was lost before the backup was made.\n`);
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
    const known = [
      ConfigError,
      MasterKeyError,
      ArchiveError,
      TargetError,
      DataFolderError,
      DatabaseFileError,
      NewerDatabaseError,
    ].some((kind) => error instanceof kind);
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const words =
      known && error instanceof Error
        ? error.message
        : `The backup could not be restored${code && ` (${code})`}.`;
    const state = hasBegun
      ? 'The restore was not finished, and no server starts on what there is now: empty the target, then restore again.'
      : 'Nothing was changed.';
    process.stderr.write(`${words}\n${state}\n`);
    process.exitCode = 1;
  }
