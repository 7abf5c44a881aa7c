/** Photos: rows whose sealed bytes lie in a table of their own. Knows nothing about who may see one. */
import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Vault } from '../vault/vault.ts';
import { findDataKey, type KeyOwnerKind, takeDataKey } from './data-keys.ts';
import type { Database } from './schema.ts';
import type { Tx } from './transaction.ts';

/** Staff have no photo. */
type PhotoOwnerKind = Exclude<KeyOwnerKind, 'admin'>;

/** Whose photos. */
interface PhotoHolder {
  readonly kind: PhotoOwnerKind;
  readonly id: string;
}

interface Keeper {
  readonly vault: Vault;
}

/** What a photo's bytes are bound to when they are sealed with their owner's key. */
export function photoContext(id: string): string {
  return `photo ${id}`;
}

/** Keeps a photo (JPEG bytes) as its owner's only one with this transaction, and answers its id. */
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

/** Keeps a photo (JPEG bytes) beside those that its owner has, and answers its id. */
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

/** Removes an owner's photos with this transaction; `except` names one that stays, `only` those that go. */
export async function dropPhotos(
  { trx }: Tx,
  owner: PhotoHolder,
  { except, only }: { except?: string; only?: readonly string[] } = {},
): Promise<void> {
  if (only?.length === 0) return;
  let photos = trx.deleteFrom('photos').where('owner_kind', '=', owner.kind).where('owner_id', '=', owner.id);
  if (except !== undefined) photos = photos.where('id', '!=', except);
  if (only) photos = photos.where('id', 'in', only);
  // The bodies go with their rows.
  await photos.execute();
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

/** The JPEG bytes of a photo. Undefined when its body or its owner's key is gone. */
export async function openPhoto(
  db: Kysely<Database>,
  { vault }: Keeper,
  id: string,
  owner: PhotoOwner,
): Promise<Buffer | undefined> {
  const key = await findDataKey(db, vault, owner.owner_kind, owner.owner_id);
  const sealed = await findPhotoBody(db, id);
  return key && sealed ? key.open(photoContext(id), sealed) : undefined;
}

/** The sealed bytes of a photo, which pg reads as hexadecimal text: its binary mode destroys them. */
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
