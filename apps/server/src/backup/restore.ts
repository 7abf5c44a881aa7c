/**
 * `npm run restore -- FILE`: checks a backup from beginning to end, then fills an unused data folder or database with it.
 * `--replace`: of a data folder that is used; what is there is moved aside once the backup is restored.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from '@haris/runtime/config';
import { createLogger } from '@haris/runtime/log';
import type { Kysely } from 'kysely';
import { keepAuditHead } from '../audit-heads.ts';
import { systemClock } from '../clock.ts';
import { loadPlace, type PlaceConfig } from '../config.ts';
import { findAuditHead, openAuditTrail, verifyAuditTrail } from '../db/audit.ts';
import { findAllBars } from '../db/barred-adults.ts';
import { findHomeAssistantAccounts } from '../db/broker-accounts.ts';
import { findPairedCameras } from '../db/camera-devices.ts';
import { findCameras } from '../db/cameras.ts';
import { DatabaseFileError } from '../db/damage.ts';
import { eraseDestroyedKeys } from '../db/data-keys.ts';
import type { OpenDatabase } from '../db/dialect.ts';
import { isUnused } from '../db/dump.ts';
import { DataFolderError, embeddedFile, holdDataFolder } from '../db/embedded.ts';
import { findErasures } from '../db/erasures.ts';
import { isKnownMigration, NewerDatabaseError } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import type { Database } from '../db/schema.ts';
import { sealedMarkFile } from '../db/seal-old-rows.ts';
import { findSensors } from '../db/sensors.ts';
import { isStorageFull } from '../db/storage-full.ts';
import { hasRecordSince, readErasures } from '../erasure/record.ts';
import { replayErasures } from '../erasure/replay.ts';
import { barsBy } from '../hand-over/adults.ts';
import { type EnteredBar, hasBarsSince, type KeptBars, readKeptBars } from '../hand-over/bar-record.ts';
import { findWaitingBars, type ReplayedBars, replayBars } from '../hand-over/bar-replay.ts';
import { limitRestored } from '../hand-over/restored-rights.ts';
import { hasKeptLines } from '../kept-lines.ts';
import {
  loadMasterKey,
  type MasterKey,
  MasterKeyError,
  masterKeyFile,
  masterKeyFromRecovery,
  openMasterKey,
  recoveryKeyOf,
  writeMasterKey,
} from '../vault/master-key.ts';
import { openVault } from '../vault/vault.ts';
import { ArchiveError } from './archive.ts';
import { type Checked, checkContents } from './contents.ts';
import { fillDatabase, finishFilling } from './fill.ts';
import { isUnfinished } from './keep.ts';
import { isAlive, readBackup } from './make.ts';
import { takeRecords } from './records.ts';
import { copySurvivors, SwapError, swapIn } from './replace.ts';
import { removeTrials, stageFolder } from './trial.ts';

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
      'There is data already. Restore into an empty DATA_DIR (and an empty database, with DATABASE_URL), ' +
        'or add --replace, which moves the data of a DATA_DIR aside first.',
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

/** What the restore says about adults to whom a child must not be handed: what was done, and what the operator must do. */
function reportBars(
  { entered, lifted }: ReplayedBars,
  { unreadable }: KeptBars,
  waiting: readonly EnteredBar[],
  hasAll: boolean,
  at: string,
): { done: string; warning: string } {
  const done =
    (entered > 0
      ? `${entered} bars of adults that were entered since the backup are in force again. Accounts that were blocked since are not: block them again.\n`
      : '') + (lifted > 0 ? `${lifted} bars that were lifted since the backup were lifted again.\n` : '');
  const warning =
    (hasAll
      ? ''
      : `DATA_DIR has no bars.log that goes on from this backup. Whom staff barred from collecting a child after ${at} is barred no more.\n` +
        'If the old data folder still has that file, copy it into DATA_DIR before you start Haris: the start bars them again.\n' +
        'Otherwise ask the desk and the management at once, before any child is handed over, and enter those bars again.\n') +
    (unreadable > 0
      ? `${unreadable} lines of bars.log were changed, or were not written by this installation. They count for nothing, so a bar may be missing:\n` +
        'ask the desk and the management who was barred, and enter what is missing again.\n'
      : '') +
    (waiting.length > 0
      ? `${waiting.length} bars could not be entered, because the backup does not know the child. Register each such child again, and enter the bar again before the child is handed over:\n` +
        waiting
          .map((bar) => `  ${bar.name}, barred on ${new Date(bar.at).toISOString().slice(0, 10)}\n`)
          .join('')
      : '');
  return { done, warning };
}

/** Whether nightly backups lie in the folder of `file`, and so the copy of those files should. */
function isNightlyFolder(file: string): boolean {
  try {
    return readdirSync(dirname(file)).some((name) => isUnfinished(`${name}.part`));
  } catch {
    // A folder that may not be listed: no reason to give the restore up.
    return false;
  }
}

/** Says what the data folder lacked, or that there is no copy where one should be. */
async function takeCopiedRecords({ file, master }: Backup, dataDir: string): Promise<void> {
  try {
    const taken = await takeRecords(dataDir, file, master);
    if (taken === null) {
      if (isNightlyFolder(file) || !hasKeptLines(dataDir, 'erasures.log'))
        process.stderr.write(
          `There is no .haris-records beside ${file}, the copy of erasures.log and bars.log that lies beside nightly backups.\n`,
        );
      return;
    }
    for (const { name, count } of taken.added)
      process.stderr.write(
        `${count} lines that ${name} lacked were taken from the copy beside the backup, of ${taken.at}.\n`,
      );
    if (taken.names.length > 0)
      process.stderr.write(
        `DATA_DIR had no ${taken.names.join(', ')}: taken from the copy beside the backup, of ${taken.at}. Whoever was deleted after that is back, keys that were revoked after it work again, and whom staff barred after it may collect the child.\n` +
          'If the old data folder is still there, copy its files of these names into DATA_DIR before you start Haris.\n',
      );
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    process.stderr.write(
      `The copy of erasures.log and bars.log beside the backup (.haris-records) does not count. ${error.message}\n`,
    );
  }
}

interface Backup {
  readonly file: string;
  readonly master: MasterKey;
  readonly checked: Checked;
}

async function restore(file: string, isReplacing: boolean): Promise<void> {
  const config = loadPlace(process.env, { demo: process.argv.includes('--demo'), base: process.cwd() });
  const { databaseUrl, dataDir, recoveryKey: recovery } = config;
  if (isReplacing && databaseUrl)
    throw new TargetError(
      '--replace is for the database in DATA_DIR. With PostgreSQL make an empty database, name it in DATABASE_URL, and ' +
        'restore without --replace: the database from before stays as it is.',
    );
  if (isReplacing && isWithoutDatabase(dataDir))
    throw new TargetError(
      `${dataDir} has the name and the key of an installation, and no ${embeddedFile('')}. If this installation uses PostgreSQL, set ` +
        'DATABASE_URL as the server has it. Else its database is lost: restore without --replace.',
    );
  const master = readMasterKey(dataDir, recovery);
  // The whole file is checked before anything is changed.
  const checked = await checkContents(readBackup(file, master), master);
  if (!isKnownMigration(checked.schema, databaseUrl ? 'postgres' : 'sqlite'))
    throw new TargetError('The backup was made by a newer Haris. Restore it with that version.');
  const backup = { file, master, checked };
  process.stdout.write(
    isReplacing ? await replaceWith(backup, config) : await fillPlace(backup, config, dataDir),
  );
}

/** Of an installation with PostgreSQL, or one whose database is lost: a restore would fill a database that nobody uses. */
function isWithoutDatabase(dataDir: string): boolean {
  return (
    existsSync(join(dataDir, 'installation.json')) &&
    existsSync(masterKeyFile(dataDir)) &&
    !existsSync(embeddedFile(dataDir))
  );
}

/** Whether `dataDir` has the key of another installation, to which what lies outside its database belongs. */
function isOfAnother(dataDir: string, { fingerprint }: MasterKey): boolean {
  if (!existsSync(masterKeyFile(dataDir))) return false;
  try {
    return loadMasterKey(dataDir).fingerprint !== fingerprint;
  } catch (error) {
    // A damaged key, in whose place the recovery key comes.
    if (error instanceof MasterKeyError) return false;
    throw error;
  }
}

/**
 * Restores beside the present data, and only then exchanges the two: until then a failure or a power cut leaves what is
 * there as it is. Holds the folder, so that no server runs on it. Returns what was done.
 */
async function replaceWith(backup: Backup, config: PlaceConfig): Promise<string> {
  const { dataDir } = config;
  const hold = holdDataFolder(dataDir);
  const stage = stageFolder(dataDir);
  try {
    // Of a restore that was killed: they are readable.
    removeTrials(dataDir, (pid) => !isAlive(pid));
    mkdirSync(stage, { mode: 0o700 });
    if (!isOfAnother(dataDir, backup.master)) copySurvivors(dataDir, stage);
    const key = config.recoveryKey ?? recoveryKeyOf(dataDir);
    const said = await fillPlace(backup, { ...config, dataDir: stage, recoveryKey: key }, dataDir);
    const aside = swapIn(dataDir, stage, Date.now());
    return aside === null
      ? said
      : `${said}What was there before is in ${aside}. It can be read like any data folder: delete it once everything is right.\n`;
  } finally {
    // What was filled is not in its place, or is whole.
    hasBegun = false;
    rmSync(stage, { recursive: true, force: true });
    hold.release();
  }
}

/** Fills an unused place, which the returned text calls `shown`. */
async function fillPlace(backup: Backup, config: PlaceConfig, shown: string): Promise<string> {
  const { file, master, checked } = backup;
  const { databaseUrl, dataDir, recoveryKey: recovery } = config;
  let said = '';
  const say = (text: string): void => {
    said = text;
  };
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
    await takeCopiedRecords(backup, dataDir);
    const vault = openVault(master);
    const knowsSince = hasRecordSince(dataDir, await findErasures(db));
    const audit = openAuditTrail(vault, systemClock);
    const limited = await limitRestored({ db, audit });
    const erasures = readErasures(dataDir);
    const replayed = await replayErasures({ db, audit, isBarred: barsBy(vault) }, erasures);
    const kept = readKeptBars(dataDir, vault);
    // After the erasures: the file has no bars of children who were erased.
    const hasAllBars = hasBarsSince(dataDir, kept, await findAllBars(db));
    const replayedBars = await replayBars({ db, vault, audit, clock: systemClock }, kept);
    const waiting = await findWaitingBars(db, kept, erasures);
    const bars = reportBars(replayedBars, kept, waiting, hasAllBars, checked.at);
    await eraseDestroyedKeys({ db, dialect, log });
    await finishFilling(db);
    const verdict = await verifyAuditTrail(db, vault);
    // The restored log ends before the kept heads, and this line makes that valid.
    const head = await findAuditHead(db, vault);
    if (head) await keepAuditHead(dataDir, vault, head, 'restored', Date.now());
    say(
      `Restored ${checked.rows} rows and ${checked.photos} photos of ${checked.at} into ${databaseUrl ? 'the database' : shown}\n` +
        (replayed.people > 0
          ? `${replayed.people} people or faces that were erased since the backup were erased again.\n`
          : '') +
        (replayed.keys > 0
          ? `${replayed.keys} keys of sensors, cameras or Home Assistant that were revoked since the backup were revoked again.\n`
          : '') +
        bars.done +
        (limited > 0
          ? `${limited} guardians beside the first one of a child take it home no more: the backup does not know whom the desk has limited since. Tick “Takes the child home” again for those who may.\n`
          : '') +
        'Everybody signs in again: sessions and links that were mailed are not in a backup.\n' +
        (verdict.whole
          ? `The audit log is whole: ${verdict.rows} rows.\n`
          : `The audit log is broken at row ${verdict.seq}, as it was when the backup was made: ${verdict.reason}.\n`),
    );
    if (!knowsSince) process.stderr.write(await warnOfReturned(db, checked.at));
    process.stderr.write(bars.warning);
    for (const id of [...checked.lost, ...checked.unreadable])
      process.stderr.write(`The photo ${id} cannot be shown: it was lost before the backup was made.\n`);
  } finally {
    await database.close();
  }
  return said;
}

const file = process.argv.slice(2).find((word) => !word.startsWith('-'));
if (!file) {
  process.stderr.write(
    'Usage: npm run restore -- FILE [--replace]   (with RECOVERY_KEY where there is no master key yet)\n',
  );
  process.exitCode = 2;
} else
  try {
    await restore(resolve(file), process.argv.includes('--replace'));
  } catch (error) {
    const known = [
      ConfigError,
      MasterKeyError,
      ArchiveError,
      TargetError,
      DataFolderError,
      DatabaseFileError,
      NewerDatabaseError,
      SwapError,
    ].some((kind) => error instanceof kind);
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const unknown = isStorageFull(error)
      ? 'There is no room for the restored data.'
      : `The backup could not be restored${code && ` (${code})`}.`;
    const words = known && error instanceof Error ? error.message : unknown;
    let state = 'Nothing was changed.';
    if (hasBegun)
      state =
        'The restore was not finished, and no server starts on what there is now: empty the target, then restore again.';
    if (error instanceof SwapError)
      state = 'Delete nothing, and put it together by hand before you start Haris.';
    process.stderr.write(`${words}\n${state}\n`);
    process.exitCode = 1;
  }
