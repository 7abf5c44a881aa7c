/**
 * Which installation a data folder and a database belong to: a start where the two do not belong together is refused
 * before anything is changed. Knows nothing of what is in either.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { embeddedFile, hasTable, type OpenDatabase } from './db/open.ts';
import { findPhotoFiles } from './db/photo-files.ts';
import type { Database } from './db/schema.ts';
import { type MasterKey, MasterKeyError, masterKeyFile, openMasterKey } from './vault/master-key.ts';

/** The data folder and the database are not of one installation; `message` is for the operator. */
export class InstallationError extends Error {
  override name = 'InstallationError';
}

/** Rows of `meta`: the id of the installation, and the fingerprint of its master key. */
const INSTALLATION = 'installation';
const KEY_FINGERPRINT = 'master_key';
/** Row of `meta` while a restore goes on: a database that has it is not whole. */
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

/** On disk, whole, when it returns. */
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
  const rows = await db
    .selectFrom('meta')
    .selectAll()
    .where('key', 'in', [INSTALLATION, KEY_FINGERPRINT, RESTORE_UNFINISHED])
    .execute();
  const find = (key: string) => rows.find((row) => row.key === key)?.value ?? null;
  return {
    id: find(INSTALLATION),
    fingerprint: find(KEY_FINGERPRINT),
    isUnfinished: find(RESTORE_UNFINISHED) !== null,
  };
}

/** Says what lies in the folder, and which files to move away for a new beginning. */
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

/** Where an installation lies. */
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
 * Refuses where the embedded database is missing from a folder that has been used; call it before that file is made.
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
 * Refuses a database that is not this folder's; call it before the schema is changed: it may be somebody else's.
 * Throws {@link InstallationError}.
 */
export async function admitDatabase(place: Place, { db, dialect }: OpenDatabase): Promise<void> {
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
  // A first start that was interrupted before there was a key: the folder has nothing yet, or the same name.
  const isAnother = folder.id !== null && marks.id !== null && folder.id !== marks.id;
  const isUnknown = marks.fingerprint === null && folder.id === null && isUsed(folder);
  if (isAnother || isUnknown)
    throw new InstallationError(
      `The database ${place.databaseUrl ? 'that DATABASE_URL names' : embeddedFile(place.dataDir)} belongs to another installation ` +
        `than ${place.dataDir}. Set DATA_DIR and DATABASE_URL to those that belong together.`,
    );
  // Before anything is changed in a database that this folder has never been used with.
  if (marks.fingerprint !== null) matchKey(place.dataDir, marks.fingerprint);
}

function matchKey(dataDir: string, fingerprint: string): MasterKey {
  const master = openMasterKey(dataDir, false);
  if (master.fingerprint !== fingerprint) throw anotherKey();
  return master;
}

/** Throws {@link MasterKeyError} where the database was made with another key; it was made with one. */
export async function requireMatchingKey(db: Kysely<Database>, master: MasterKey): Promise<void> {
  const { fingerprint } = await readMarks(db);
  if (fingerprint !== master.fingerprint) throw anotherKey();
}

/** Whether a start has ever finished with this database, so that it may hold something. */
export async function hasKey(db: Kysely<Database>): Promise<boolean> {
  return (await readMarks(db)).fingerprint !== null;
}

function anotherKey(): MasterKeyError {
  return new MasterKeyError(
    'The master key below DATA_DIR/keys is not the one that this database was made with. Put the right one back.',
  );
}

/**
 * The master key that belongs to this database; a new one only for a database that has never had one. Names folder and
 * database where they have no name yet. Throws {@link MasterKeyError}, {@link InstallationError}.
 */
export async function openInstallation(db: Kysely<Database>, dataDir: string): Promise<MasterKey> {
  const { fingerprint } = await readMarks(db);
  if (fingerprint !== null) {
    const master = matchKey(dataDir, fingerprint);
    await nameInstallation(db, dataDir);
    return master;
  }
  // The name comes first: a start that ends after the key was made and before it was noted is known by it.
  await nameInstallation(db, dataDir);
  const made = openMasterKey(dataDir, true);
  await mark(db, KEY_FINGERPRINT, made.fingerprint);
  const kept = await readMarks(db);
  // Another server may have been first.
  return matchKey(dataDir, kept.fingerprint ?? made.fingerprint);
}

async function nameInstallation(db: Kysely<Database>, dataDir: string): Promise<void> {
  const own = readId(dataDir);
  // A start on a full disk writes nothing that is there.
  if ((await readMarks(db)).id === null) await mark(db, INSTALLATION, own ?? randomUUID());
  const { id } = await readMarks(db);
  if (id !== null && own === null) writeId(dataDir, id);
  else if (id !== own)
    throw new InstallationError(`The database belongs to another installation than ${dataDir}.`);
}

async function mark(db: Kysely<Database>, key: string, value: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
}
