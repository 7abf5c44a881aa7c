/**
 * Moves photos of older installations, files `<DATA_DIR>/photos/<first two of id>/<id>`, into rows. Deletes no file:
 * renames the folder once all its photos are rows, so that the operator can remove it.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describeFailure, type Logger } from '@haris/runtime/log';
import type { Kysely } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { Database } from './schema.ts';
import { inTransaction } from './transaction.ts';

/** Photos per transaction: a few megabytes. */
const PORTION = 50;
/** A crash during an upload leaves stray files. More than this share and number of them indicate a mistake. */
const STRAY_SHARE = 0.1;
const STRAYS_TOLERATED = 10;

/** The files below DATA_DIR/photos do not belong to this database; `message` is for the operator. */
export class PhotoFilesError extends Error {
  override name = 'PhotoFilesError';
}

function folderOf(dataDir: string): string {
  return join(dataDir, 'photos');
}

/** Sealed bytes of a photo that is still a file; undefined if there is no such file. */
export async function readPhotoFile(dataDir: string, id: string): Promise<Buffer | undefined> {
  try {
    return await readFile(join(folderOf(dataDir), id.slice(0, 2), id));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Names of all files below DATA_DIR/photos; empty if there is no such folder. */
export async function findPhotoFiles(dataDir: string): Promise<string[]> {
  const entries = await readdir(folderOf(dataDir), { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    },
  );
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

export interface PhotoMove {
  readonly db: Kysely<Database>;
  readonly dialect: Dialect;
  readonly dataDir: string;
  readonly log: Logger;
  /** Milliseconds since 1970; part of the renamed folder's name. */
  readonly now: number;
}

/** Key in `meta` that is set once all files were read. Files in a folder that could not be renamed are then obsolete. */
const MOVED = 'photo_files_moved';

/**
 * Reads the files into rows in batches, then renames the folder. May be interrupted at any point and run again. A row
 * whose file is missing stays without a body, and the log names it. Throws {@link PhotoFilesError} if more than a small
 * share of the files belongs to no row of this database.
 */
export async function movePhotoFiles(move: PhotoMove): Promise<void> {
  const { db, dataDir, log } = move;
  const files = await findPhotoFiles(dataDir);
  if (files.length === 0) return;
  const strays = (await wasMoved(db)) ? 0 : await countStrays(db, files);
  if (strays > Math.max(STRAYS_TOLERATED, files.length * STRAY_SHARE))
    throw new PhotoFilesError(
      `${strays} of the ${files.length} files in ${folderOf(dataDir)} belong to no photo of this database: it is an older ` +
        'or another one. Put the right database back; or, if this is the right one, move that folder away first.',
    );
  const { moved, missing, unreadable } = await moveAll(move);
  for (const id of missing) log.error({ photoId: id }, 'the file of a photo is missing: it cannot be shown');
  // The next start retries.
  if (unreadable.length > 0) return;
  await db
    .insertInto('meta')
    .values({ key: MOVED, value: new Date(move.now).toISOString() })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  const folder = await putAside(move);
  log.info(
    { moved, missing: missing.length, strays, folder },
    'all photos are in the database; the folder of their files is not used any more and may be removed',
  );
}

async function wasMoved(db: Kysely<Database>): Promise<boolean> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', MOVED).executeTakeFirst();
  return row !== undefined;
}

async function countStrays(db: Kysely<Database>, files: readonly string[]): Promise<number> {
  const rows = await db.selectFrom('photos').select('id').execute();
  const known = new Set(rows.map((row) => row.id));
  return files.filter((name) => !known.has(name)).length;
}

interface Moved {
  moved: number;
  readonly missing: string[];
  readonly unreadable: string[];
}

interface Body {
  readonly photo_id: string;
  readonly sealed: Buffer;
}

async function moveAll(move: PhotoMove): Promise<Moved> {
  const result: Moved = { moved: 0, missing: [], unreadable: [] };
  for (let after = ''; ; ) {
    const rows = await move.db
      .selectFrom('photos')
      .leftJoin('photo_bodies', 'photo_bodies.photo_id', 'photos.id')
      .select('photos.id')
      .where('photo_bodies.photo_id', 'is', null)
      .where('photos.id', '>', after)
      .orderBy('photos.id')
      .limit(PORTION)
      .execute();
    const last = rows.at(-1);
    if (!last) return result;
    after = last.id;
    const bodies: Body[] = [];
    for (const { id } of rows) {
      try {
        const sealed = await readPhotoFile(move.dataDir, id);
        if (sealed) bodies.push({ photo_id: id, sealed });
        else result.missing.push(id);
      } catch (error) {
        move.log.error({ photoId: id, ...describeFailure(error) }, 'the file of a photo cannot be read');
        result.unreadable.push(id);
      }
    }
    result.moved += await insertBodies(move, bodies);
    move.log.info({ moved: result.moved }, 'photos were moved into the database');
  }
}

/** Returns the number of new rows: a photo may have been deleted meanwhile, or moved by another server. */
async function insertBodies({ db, dialect }: PhotoMove, bodies: readonly Body[]): Promise<number> {
  if (bodies.length === 0) return 0;
  return inTransaction(db, async ({ trx }) => {
    const ids = bodies.map((body) => body.photo_id);
    const photos = trx.selectFrom('photos').select('id').where('id', 'in', ids);
    const alive = await (dialect === 'postgres' ? photos.forKeyShare() : photos).execute();
    const known = new Set(alive.map((row) => row.id));
    const values = bodies.filter((body) => known.has(body.photo_id));
    if (values.length === 0) return 0;
    const done = await trx
      .insertInto('photo_bodies')
      .values(values)
      .onConflict((conflict) => conflict.column('photo_id').doNothing())
      .executeTakeFirst();
    return Number(done.numInsertedOrUpdatedRows ?? 0);
  });
}

/** Renames the folder; null if that fails: it is a mount point, or another server has renamed it. */
async function putAside({ dataDir, log, now }: PhotoMove): Promise<string | null> {
  const day = new Date(now).toISOString().slice(0, 10);
  let name = `photos-migrated-${day}`;
  for (let count = 2; existsSync(join(dataDir, name)); count++) name = `photos-migrated-${day}-${count}`;
  try {
    await rename(folderOf(dataDir), join(dataDir, name));
    return name;
  } catch (error) {
    log.warn(describeFailure(error), 'the folder of the photos could not be renamed');
    return null;
  }
}
