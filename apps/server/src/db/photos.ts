/** Photos: rows, with the sealed bytes in a separate table. Callers check permissions. */
import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Vault } from '../vault/vault.ts';
import { findDataKey, type KeyOwnerKind, takeDataKey } from './data-keys.ts';
import { guardianOf } from './guardians.ts';
import type { Database } from './schema.ts';
import type { Tx } from './transaction.ts';

interface PhotoHolder {
  readonly kind: KeyOwnerKind;
  readonly id: string;
}

interface Keeper {
  readonly vault: Vault;
}

/** The context under which a photo's bytes are sealed. */
export function photoContext(id: string): string {
  return `photo ${id}`;
}

/** Replaces all photos of an owner by this one (JPEG bytes) and returns its id. */
export async function keepPhoto(
  keeper: Keeper,
  tx: Tx,
  owner: PhotoHolder,
  jpeg: Uint8Array,
  now: number,
): Promise<string> {
  await dropPhotos(tx, owner);
  return addPhoto(keeper, tx, owner, jpeg, now);
}

/** Adds a photo (JPEG bytes) to those of its owner and returns its id. */
export async function addPhoto(
  { vault }: Keeper,
  tx: Tx,
  owner: PhotoHolder,
  jpeg: Uint8Array,
  now: number,
): Promise<string> {
  const id = randomUUID();
  const key = await takeDataKey(tx.trx, vault, owner.kind, owner.id);
  await tx.trx
    .insertInto('photos')
    .values({ id, owner_kind: owner.kind, owner_id: owner.id, created_at: now })
    .execute();
  await tx.trx
    .insertInto('photo_bodies')
    .values({ photo_id: id, sealed: key.seal(photoContext(id), jpeg) })
    .execute();
  return id;
}

export async function hasPhoto(trx: Transaction<Database>, owner: PhotoHolder): Promise<boolean> {
  const row = await trx
    .selectFrom('photos')
    .select('id')
    .where('owner_kind', '=', owner.kind)
    .where('owner_id', '=', owner.id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes photos of an owner: all, all except `except`, or those in `only`. */
export async function dropPhotos(
  { trx }: Tx,
  owner: PhotoHolder,
  { except, only }: { except?: string; only?: readonly string[] } = {},
): Promise<void> {
  if (only?.length === 0) return;
  let photos = trx.deleteFrom('photos').where('owner_kind', '=', owner.kind).where('owner_id', '=', owner.id);
  if (except !== undefined) photos = photos.where('id', '!=', except);
  if (only) photos = photos.where('id', 'in', only);
  // The foreign key deletes their bodies too.
  await photos.execute();
}

/** Deletes all photos of a child or parent except the one that its row refers to. */
export async function dropUnshownPhotos(
  tx: Tx,
  owner: PhotoHolder & { readonly kind: 'child' | 'parent' },
): Promise<void> {
  const shown = await tx.trx
    .selectFrom(owner.kind === 'child' ? 'children' : 'parents')
    .select('photo_id')
    .where('id', '=', owner.id)
    .executeTakeFirst();
  const except = shown?.photo_id ?? null;
  await dropPhotos(tx, owner, except === null ? {} : { except });
}

export interface PhotoOwner {
  readonly owner_kind: 'child' | 'parent';
  readonly owner_id: string;
  /** The photo's family: the parent, or the child's parent. */
  readonly parent_id: string;
}

/** The family's owner of a photo; undefined if the photo or its owner is gone, or if it is of staff. */
export async function findPhotoOwner(db: Kysely<Database>, id: string): Promise<PhotoOwner | undefined> {
  const row = await db
    .selectFrom('photos')
    .leftJoin('children', (join) =>
      join.onRef('children.id', '=', 'photos.owner_id').on('photos.owner_kind', '=', 'child'),
    )
    .leftJoin('parents', (join) =>
      join.onRef('parents.id', '=', 'photos.owner_id').on('photos.owner_kind', '=', 'parent'),
    )
    .select([
      'photos.owner_kind',
      'photos.owner_id',
      guardianOf().$castTo<string | null>().as('parent_id'),
      'parents.id as own_id',
    ])
    .where('photos.id', '=', id)
    .executeTakeFirst();
  const parentId = row?.owner_kind === 'child' ? row.parent_id : row?.own_id;
  if (!row || row.owner_kind === 'admin' || !parentId) return undefined;
  return { owner_kind: row.owner_kind, owner_id: row.owner_id, parent_id: parentId };
}

/** The staff member whose current photo this is; undefined if it is not the photo of one. */
export async function findPhotographedStaff(db: Kysely<Database>, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('staff').select('id').where('photo_id', '=', id).executeTakeFirst();
  return row?.id;
}

/** Every photo with its owner, also of staff. */
export function findPhotos(
  db: Kysely<Database>,
): Promise<{ readonly id: string; readonly owner_kind: KeyOwnerKind; readonly owner_id: string }[]> {
  return db.selectFrom('photos').select(['id', 'owner_kind', 'owner_id']).execute();
}

/** The JPEG bytes of a photo; undefined if its body or its owner's key is gone. */
export async function openPhoto(
  db: Kysely<Database>,
  { vault }: Keeper,
  id: string,
  owner: { readonly owner_kind: KeyOwnerKind; readonly owner_id: string },
): Promise<Buffer | undefined> {
  const key = await findDataKey(db, vault, owner.owner_kind, owner.owner_id);
  const sealed = await findPhotoBody(db, id);
  return key && sealed ? key.open(photoContext(id), sealed) : undefined;
}

/** The sealed bytes of a photo. Read as hexadecimal text on PostgreSQL, because pg's binary mode corrupts them. */
export async function findPhotoBody(
  db: Kysely<Database> | Transaction<Database>,
  id: string,
): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('photo_bodies')
    .select('sealed')
    .where('photo_id', '=', id)
    .executeTakeFirst();
  return row?.sealed;
}
