/** Photos: sealed files below the data folder and their rows; a file without its row's key is noise. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Vault } from '../vault/vault.ts';
import { findDataKey, type KeyOwnerKind, takeDataKey } from './data-keys.ts';
import type { Database } from './schema.ts';
import type { Tx } from './transaction.ts';

/** Staff have no photo. */
type PhotoOwnerKind = Exclude<KeyOwnerKind, 'admin'>;

/** Where sealed photos lie, by id. */
export interface PhotoFiles {
  /** On disk, whole, when it resolves. */
  write(id: string, sealed: Uint8Array): Promise<void>;
  /** Undefined where there is none. */
  read(id: string): Promise<Buffer | undefined>;
  remove(id: string): Promise<void>;
  /** Photos written before a moment (milliseconds since 1970). */
  idsBefore(moment: number): Promise<string[]>;
}

/** Files `<folder>/<first two of id>/<id>`, written beside and renamed. */
export function photoFolder(folder: string): PhotoFiles {
  const place = (id: string) => join(folder, id.slice(0, 2));
  return {
    async write(id, sealed) {
      await mkdir(place(id), { recursive: true, mode: 0o700 });
      // Named so that the sweep finds what a crash leaves of it.
      const part = join(place(id), `${id}.part`);
      const file = await open(part, 'wx', 0o600);
      try {
        await file.writeFile(sealed);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, join(place(id), id));
      const directory = await open(place(id), 'r');
      await directory.sync().finally(() => directory.close());
    },
    async read(id) {
      try {
        return await readFile(join(place(id), id));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      }
    },
    remove: (id) => rm(join(place(id), id), { force: true }),
    async idsBefore(moment) {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
      const old: string[] = [];
      for (const entry of entries) {
        if (!entry.isFile()) continue;
        const written = await stat(join(entry.parentPath, entry.name)).catch(() => null);
        if (written && written.mtimeMs < moment) old.push(entry.name);
      }
      return old;
    },
  };
}

interface Keeper {
  readonly vault: Vault;
  readonly photoFiles: PhotoFiles;
}

/**
 * Keeps a photo (JPEG bytes) as its owner's only one with this transaction, and answers its id. The older ones go with the commit.
 * If the transaction fails, the sealed file stays behind without a row and is swept at the next start.
 */
export async function keepPhoto(
  { vault, photoFiles }: Keeper,
  tx: Tx,
  owner: { kind: PhotoOwnerKind; id: string },
  jpeg: Uint8Array,
  now: number,
): Promise<string> {
  await dropPhotos(photoFiles, tx, owner);
  const id = randomUUID();
  const key = await takeDataKey(tx.trx, vault, owner.kind, owner.id);
  await photoFiles.write(id, key.seal(`photo ${id}`, jpeg));
  await tx.trx
    .insertInto('photos')
    .values({ id, owner_kind: owner.kind, owner_id: owner.id, created_at: now })
    .execute();
  return id;
}

/** Removes an owner's photos with this transaction; the files go once it is committed. */
export async function dropPhotos(
  files: PhotoFiles,
  tx: Tx,
  owner: { kind: PhotoOwnerKind; id: string },
): Promise<void> {
  const gone = await tx.trx
    .deleteFrom('photos')
    .where('owner_kind', '=', owner.kind)
    .where('owner_id', '=', owner.id)
    .returning('id')
    .execute();
  // A file that cannot be removed now is swept at the next start; its key is what makes it readable.
  tx.afterCommit(() => {
    for (const { id } of gone) files.remove(id).catch(() => undefined);
  });
}

export interface PhotoOwner {
  readonly owner_kind: PhotoOwnerKind;
  readonly owner_id: string;
  /** Family the photo belongs to: the parent itself, or the child's parent. */
  readonly parent_id: string;
}

/** Whose photo it is; undefined when there is none or its owner is gone. */
export async function findPhotoOwner(db: Kysely<Database>, id: string): Promise<PhotoOwner | undefined> {
  const row = await db
    .selectFrom('photos')
    .leftJoin('children', (join) =>
      join.onRef('children.id', '=', 'photos.owner_id').on('photos.owner_kind', '=', 'child'),
    )
    .leftJoin('parents', (join) =>
      join.onRef('parents.id', '=', 'photos.owner_id').on('photos.owner_kind', '=', 'parent'),
    )
    .select(['photos.owner_kind', 'photos.owner_id', 'children.parent_id', 'parents.id as own_id'])
    .where('photos.id', '=', id)
    .executeTakeFirst();
  const parentId = row?.owner_kind === 'child' ? row.parent_id : row?.own_id;
  if (!row || !parentId) return undefined;
  return { owner_kind: row.owner_kind, owner_id: row.owner_id, parent_id: parentId };
}

/** The JPEG bytes of a photo. Undefined when its file or key is gone. */
export async function openPhoto(
  db: Kysely<Database>,
  { vault, photoFiles }: Keeper,
  id: string,
  owner: PhotoOwner,
): Promise<Buffer | undefined> {
  const key = await findDataKey(db, vault, owner.owner_kind, owner.owner_id);
  const sealed = await photoFiles.read(id);
  return key && sealed ? key.open(`photo ${id}`, sealed) : undefined;
}

/** A file is written before its row is committed; younger ones may still get theirs, also from another server. */
const SWEEP_OLDER_MS = 3_600_000;

/** Removes files that no row names: left by a crash between the file and the commit. Answers how many. */
export async function sweepPhotos(db: Kysely<Database>, files: PhotoFiles, now: number): Promise<number> {
  const old = await files.idsBefore(now - SWEEP_OLDER_MS);
  const rows = await db.selectFrom('photos').select('id').execute();
  const kept = new Set(rows.map((row) => row.id));
  const stray = old.filter((id) => !kept.has(id));
  for (const id of stray) await files.remove(id);
  return stray.length;
}
