/**
 * Identity of an installation: refuses to start with a data folder and a database that do not belong together, before
 * anything is changed. Knows nothing of their contents.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { hasTable, type OpenDatabase } from './db/dialect.ts';
import { embeddedFile } from './db/embedded.ts';
import { readMetas, writeMetaOnce } from './db/meta.ts';
import { findPhotoFiles } from './db/photo-files.ts';
import type { Database } from './db/schema.ts';
import {
  loadMasterKey,
  type MasterKey,
  MasterKeyError,
  masterKeyFile,
  openMasterKey,
} from './vault/master-key.ts';

/** The data folder and the database belong to different installations; `message` is for the operator. */
export class InstallationError extends Error {
  override name = 'InstallationError';
}

/** Keys in `meta`: the id of the installation, and the fingerprint of its master key. */
const INSTALLATION = 'installation';
const KEY_FINGERPRINT = 'master_key';
/** Key in `meta` during a restore: a database that has it is incomplete. */
export const RESTORE_UNFINISHED = 'restore_unfinished';

const idFile = (dataDir: string) => join(dataDir, 'installation.json');
const idSchema = z.object({ id: z.uuid() });

interface Folder {
  readonly id: string | null;
  readonly hasKey: boolean;
  /** Photos that are still files. */
  readonly photos: number;
}

interface Marks {
  readonly id: string | null;
  readonly fingerprint: string | null;
  readonly isUnfinished: boolean;
}

const NO_MARKS: Marks = { id: null, fingerprint: null, isUnfinished: false };

async function readFolder(dataDir: string): Promise<Folder> {
  return {
    id: readId(dataDir),
    hasKey: existsSync(masterKeyFile(dataDir)),
    photos: (await findPhotoFiles(dataDir)).length,
  };
}

function readId(dataDir: string): string | null {
  try {
    return idSchema.parse(JSON.parse(readFileSync(idFile(dataDir), 'utf8'))).id;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new InstallationError(
      `${idFile(dataDir)} cannot be read. It only names the installation: move it away, and the next start writes it anew.`,
    );
  }
}

/** Returns once the whole file is synced to disk. */
function writeId(dataDir: string, id: string): void {
  const part = `${idFile(dataDir)}.part`;
  const handle = openSync(part, 'w', 0o600);
  try {
    writeSync(handle, JSON.stringify({ id }));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(part, idFile(dataDir));
}

async function readMarks(db: Kysely<Database>): Promise<Marks> {
  const marks = await readMetas(db, [INSTALLATION, KEY_FINGERPRINT, RESTORE_UNFINISHED]);
  return {
    id: marks.get(INSTALLATION) ?? null,
    fingerprint: marks.get(KEY_FINGERPRINT) ?? null,
    isUnfinished: marks.has(RESTORE_UNFINISHED),
  };
}

/** Lists the contents of the folder, and the files to move away for a new installation. */
function whatIsThere(dataDir: string, { id, hasKey, photos }: Folder): { has: string; away: string } {
  const photosWord = photos === 1 ? 'one photo' : `${photos} photos`;
  const has = [hasKey && 'a master key', photos > 0 && photosWord, id && 'the name of an installation'];
  const away = [
    hasKey && masterKeyFile(dataDir),
    photos > 0 && join(dataDir, 'photos'),
    id && idFile(dataDir),
  ];
  const list = (parts: readonly (string | null | false)[]) =>
    parts.filter((part) => typeof part === 'string').join(', ');
  return { has: list(has), away: list(away) };
}

/** Location of an installation. */
interface Place {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
}

function refuseEmpty({ dataDir, databaseUrl }: Place, folder: Folder): never {
  const { has, away } = whatIsThere(dataDir, folder);
  const database = databaseUrl ? 'The database that DATABASE_URL names' : embeddedFile(dataDir);
  throw new InstallationError(
    `${database} is ${databaseUrl || existsSync(embeddedFile(dataDir)) ? 'empty' : 'missing'}, but ${dataDir} holds: ${has}. ` +
      'Put the database of this installation back, or restore a backup (npm run restore -- FILE). ' +
      `To begin anew, move these away first: ${away}.`,
  );
}

/**
 * Refuses a used folder whose embedded database is missing; call it before that file is created.
 * Throws {@link InstallationError}.
 */
export async function admitFolder(place: Place): Promise<void> {
  if (place.databaseUrl || existsSync(embeddedFile(place.dataDir))) return;
  const folder = await readFolder(place.dataDir);
  if (isUsed(folder)) refuseEmpty(place, folder);
}

function isUsed({ id, hasKey, photos }: Folder): boolean {
  return id !== null || hasKey || photos > 0;
}

/**
 * Refuses a database that belongs to another folder; call it before the schema is changed. Changes nothing.
 * Throws {@link InstallationError}, {@link MasterKeyError}.
 */
export async function admitDatabase(
  place: Place,
  { db, dialect }: Pick<OpenDatabase, 'db' | 'dialect'>,
): Promise<void> {
  const folder = await readFolder(place.dataDir);
  const marks = (await hasTable(db, dialect, 'meta')) ? await readMarks(db) : NO_MARKS;
  if (marks.isUnfinished)
    throw new InstallationError(
      'A restore into this database was not finished. Empty the database (or DATA_DIR, but for the keys), then restore again.',
    );
  if (marks.id === null && marks.fingerprint === null) {
    if (isUsed(folder)) refuseEmpty(place, folder);
    return;
  }
  // After a first start that was interrupted before the key was made, the folder is empty or has the same id.
  const isAnother = folder.id !== null && marks.id !== null && folder.id !== marks.id;
  const isUnknown = marks.fingerprint === null && folder.id === null && isUsed(folder);
  if (isAnother || isUnknown)
    throw new InstallationError(
      `The database ${place.databaseUrl ? 'that DATABASE_URL names' : embeddedFile(place.dataDir)} belongs to another installation ` +
        `than ${place.dataDir}. Set DATA_DIR and DATABASE_URL to those that belong together.`,
    );
  // The folder may never have been used with this database, so the key is compared before anything is changed.
  if (marks.fingerprint !== null) matchKey(loadMasterKey(place.dataDir), marks.fingerprint);
}

function matchKey(master: MasterKey, fingerprint: string): MasterKey {
  if (master.fingerprint !== fingerprint) throw anotherKey();
  return master;
}

/** Throws {@link MasterKeyError} if the database was made with another key, or with none. */
export async function requireMatchingKey(db: Kysely<Database>, master: MasterKey): Promise<void> {
  const { fingerprint } = await readMarks(db);
  if (fingerprint !== master.fingerprint) throw anotherKey();
}

/** Whether any start has finished with this database; otherwise it is empty. */
export async function hasKey(db: Kysely<Database>): Promise<boolean> {
  return (await readMarks(db)).fingerprint !== null;
}

function anotherKey(): MasterKeyError {
  return new MasterKeyError(
    'The master key below DATA_DIR/keys is not the one that this database was made with. Put the right one back.',
  );
}

/**
 * Returns the master key of this database, or creates it for a database that never had one. Gives folder and database the
 * installation's id if they have none. Throws {@link MasterKeyError}, {@link InstallationError}.
 */
export async function openInstallation(db: Kysely<Database>, dataDir: string): Promise<MasterKey> {
  const { fingerprint } = await readMarks(db);
  if (fingerprint !== null) {
    const master = matchKey(openMasterKey(dataDir, false), fingerprint);
    await nameInstallation(db, dataDir);
    return master;
  }
  // The id comes first: it identifies a start that was aborted between creating the key and storing its fingerprint.
  await nameInstallation(db, dataDir);
  const made = openMasterKey(dataDir, true);
  await writeMetaOnce(db, KEY_FINGERPRINT, made.fingerprint);
  const kept = await readMarks(db);
  // Another server may have been first.
  return matchKey(openMasterKey(dataDir, false), kept.fingerprint ?? made.fingerprint);
}

/** Gives folder and database the installation's id. Throws {@link InstallationError} if theirs differ. */
async function nameInstallation(db: Kysely<Database>, dataDir: string): Promise<void> {
  const own = readId(dataDir);
  // Skips values that exist, because a start on a full disk must not write.
  if ((await readMarks(db)).id === null) await writeMetaOnce(db, INSTALLATION, own ?? randomUUID());
  const { id } = await readMarks(db);
  if (id !== null && own === null) writeId(dataDir, id);
  else if (id !== own)
    throw new InstallationError(`The database belongs to another installation than ${dataDir}.`);
}
