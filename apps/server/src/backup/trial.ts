/** The trial restore: fills a scratch database with a backup, compares it with what the backup says, and removes it. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describeFailure, type Logger } from '@haris/runtime/log';
import type { Kysely } from 'kysely';
import { verifyAuditTrail } from '../db/audit.ts';
import { DatabaseFileError } from '../db/damage.ts';
import { findTables, type OpenDatabase } from '../db/dialect.ts';
import { countRows } from '../db/dump.ts';
import { isKnownMigration } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { findPhotos, openPhoto } from '../db/photos.ts';
import type { Database } from '../db/schema.ts';
import { isStorageFull } from '../db/storage-full.ts';
import { inTransaction } from '../db/transaction.ts';
import { openMasterKey } from '../vault/master-key.ts';
import { openVault, type Vault } from '../vault/vault.ts';
import { ArchiveError } from './archive.ts';
import { type Checked, checkContents } from './contents.ts';
import { fillDatabase, finishFilling } from './fill.ts';
import { backupFolder, readBackup, requireRoom } from './make.ts';

/**
 * Scratch folders by the id of their process: of trials in the folder of automatic backups, and in the data folder of a
 * restore that takes the place of what is there.
 */
const NAME = /^(?:trial|restoring)-(\d+)$/;
/** The rows come by one transaction, so that they are in the scratch database and in its log; photos come a few at a time. */
const TIMES_AS_LARGE = 2;
/** Base64 in the backup, bytes in the database. */
const BASE64 = 4 / 3;

/** The backup looks whole and cannot be restored; `message` is for the operator. */
export class TrialError extends Error {
  override name = 'TrialError';
}

/** Path of the scratch folder of this process for a restore that takes the place of what is there. */
export function stageFolder(dataDir: string): string {
  return join(dataDir, `restoring-${process.pid}`);
}

/** Removes the scratch folders of trials and restores, of which `isLeft` chooses some by the id of their process. */
export function removeTrials(dataDir: string, isLeft: (pid: number) => boolean = () => true): void {
  for (const folder of [backupFolder(dataDir), dataDir])
    for (const name of namesIn(folder)) {
      const pid = NAME.exec(name)?.[1];
      if (pid !== undefined && isLeft(Number(pid)))
        rmSync(join(folder, name), { recursive: true, force: true });
    }
}

/** None if there is no such folder. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code)))
      return [];
    throw error;
  }
}

/**
 * Restores a backup with the key on disk into an embedded scratch database below the data folder, compares every table's
 * number of rows, checks the audit log and opens each photo. The scratch database is gone afterwards. Returns what was
 * compared. Throws {@link TrialError}, `ArchiveError`, `MasterKeyError`, `NoRoomError`, and the system's errors.
 */
export async function tryRestore(
  { dataDir, log }: { readonly dataDir: string; readonly log: Logger },
  file: string,
): Promise<{ rows: number; photos: number }> {
  const master = openMasterKey(dataDir, false);
  let bytes = 0;
  const checked = await checkContents(
    counting(readBackup(file, master), (more) => {
      bytes += more;
    }),
    master,
  );
  if (!isKnownMigration(checked.schema, 'sqlite'))
    throw new TrialError('The backup was made by a newer Haris.');
  const folder = backupFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const needed = TIMES_AS_LARGE * (bytes - BASE64 * checked.photoBytes) + checked.photoBytes;
  await requireRoom(folder, needed, 'a restored copy of the data while it is tried');
  const scratch = join(folder, `trial-${process.pid}`);
  try {
    mkdirSync(scratch, { mode: 0o700 });
    // Never the database of DATABASE_URL.
    const place = { databaseUrl: null, dataDir: scratch, log, isPatient: true, upTo: checked.schema };
    const database = await openDatabase(place);
    try {
      await fill(database, () => readBackup(file, master));
      await compare(database, checked, openVault(master));
    } finally {
      await database.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return { rows: checked.rows, photos: checked.photos };
}

async function* counting(
  bytes: AsyncIterable<Uint8Array>,
  count: (more: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const part of bytes) {
    count(part.length);
    yield part;
  }
}

async function fill({ db, dialect }: OpenDatabase, open: () => AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await fillDatabase({ db, dialect, open });
    await finishFilling(db);
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof DatabaseFileError || isStorageFull(error))
      throw error;
    // The message may quote data.
    const { failure, code } = describeFailure(error);
    throw new TrialError(`Its rows cannot be inserted (${code ?? failure}).`, { cause: error });
  }
}

/** Throws {@link TrialError} unless the database has all that the backup says, whole and readable. */
async function compare({ db, dialect }: OpenDatabase, checked: Checked, vault: Vault): Promise<void> {
  const found = await inTransaction(db, async ({ trx }) => countRows(trx, await findTables(trx, dialect)));
  for (const [table, count] of Object.entries(checked.tables ?? {}))
    if (found[table] !== count)
      throw new TrialError(
        `The table ${table} has ${found[table] ?? 0} of ${count} rows once it is restored.`,
      );
  const verdict = await verifyAuditTrail(db, vault);
  if (!verdict.whole)
    throw new TrialError(`The audit log in it is broken at row ${verdict.seq}: ${verdict.reason}.`);
  const opened = await countOpened(db, vault, new Set([...checked.lost, ...checked.unreadable]));
  const expected = checked.photos - checked.unreadable.length;
  if (opened !== expected)
    throw new TrialError(`${opened} of ${expected} photos can be opened once they are restored.`);
}

/** Number of photos that can be opened, without those that the backup knows to be lost. */
async function countOpened(
  db: Kysely<Database>,
  vault: Vault,
  without: ReadonlySet<string>,
): Promise<number> {
  let opened = 0;
  for (const { id, ...owner } of await findPhotos(db)) {
    if (without.has(id)) continue;
    const jpeg = await openPhoto(db, { vault }, id, owner).catch(() => undefined);
    if (jpeg !== undefined) opened++;
  }
  return opened;
}
