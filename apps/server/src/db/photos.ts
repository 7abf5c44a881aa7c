/** Photos: rows, with the sealed bytes in a separate table. Callers check permissions. */
import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Vault } from '../vault/vault.ts';
import { findDataKey, type KeyOwnerKind, takeDataKey } from './data-keys.ts';
import { guardianOf } from './guardians/conditions.ts';
import { findGuardians, type Guardianship } from './guardians/of-child.ts';
import type { Database } from './schema.ts';
import type { Tx } from './transaction.ts';

interface PhotoHolder {
  readonly kind: KeyOwnerKind;
  readonly id: string;
  /** The collector of the child `id` whom the photo shows; without one it shows the owner. */
  readonly collectorId?: string;
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
    .values({
      ...{ id, owner_kind: owner.kind, owner_id: owner.id, created_at: now },
      collector_id: owner.collectorId ?? null,
    })
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
    .where('collector_id', owner.collectorId === undefined ? 'is' : '=', owner.collectorId ?? null)
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
  let photos = trx
    .deleteFrom('photos')
    .where('owner_kind', '=', owner.kind)
    .where('owner_id', '=', owner.id)
    .where('collector_id', owner.collectorId === undefined ? 'is' : '=', owner.collectorId ?? null);
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

/** Ids of the photos of a child's collectors, by collector. */
export async function findCollectorPhotos(
  db: Kysely<Database> | Transaction<Database>,
  childId: string,
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('photos')
    .select(['id', 'collector_id'])
    .where('owner_kind', '=', 'child')
    .where('owner_id', '=', childId)
    .where('collector_id', 'is not', null)
    .execute();
  return new Map(rows.map(({ id, collector_id }) => [String(collector_id), id]));
}

export interface PhotoOwner {
  readonly owner_kind: 'child' | 'parent';
  readonly owner_id: string;
  /** Who may see it, as `may` asks: the parent, or the child's guardians. */
  readonly whose: string | readonly Guardianship[];
}

/** The owner of a photo of families; undefined if the photo or its owner is gone, or if it is of staff. */
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
      'children.photo_id as shown',
      guardianOf().$castTo<string | null>().as('parent_id'),
      'parents.id as own_id',
    ])
    .where('photos.id', '=', id)
    .executeTakeFirst();
  if (!row || row.owner_kind === 'admin') return undefined;
  const { owner_kind, owner_id, parent_id, own_id } = row;
  if (owner_kind === 'parent') return own_id === null ? undefined : { owner_kind, owner_id, whose: own_id };
  if (parent_id === null) return undefined;
  const guardians = (await findGuardians(db, [{ id: owner_id, parent_id }])).get(owner_id) ?? [];
  // A photo that waits for staff is read by who has sent it.
  const whose = row.shown === id ? guardians : guardians.filter(({ parentId }) => parentId === parent_id);
  return { owner_kind, owner_id, whose };
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
