/** Photos: rows, with the sealed bytes in a separate table. Callers check permissions. */
import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import type { Vault } from '../vault/vault.ts';
import { findBar } from './barred-adults.ts';
import { findDataKey, type KeyOwnerKind, takeDataKey } from './data-keys.ts';
import { guardianOf } from './guardians/conditions.ts';
import { findGuardians, type Guardianship } from './guardians/of-child.ts';
import type { Database } from './schema.ts';
import type { Tx } from './transaction.ts';

interface PhotoHolder {
  readonly kind: KeyOwnerKind;
  readonly id: string;
  /** The collector of the child `id` whom the photo shows, or the bar of the adult; without both it shows the owner. */
  readonly collectorId?: string;
  readonly barId?: string;
}

/** Photos that show this one person: of the owner itself, no collector's and no barred adult's. */
function showing({ kind, id, collectorId, barId }: PhotoHolder) {
  return (eb: ExpressionBuilder<Database, 'photos'>) =>
    eb.and([
      eb('owner_kind', '=', kind),
      eb('owner_id', '=', id),
      eb('collector_id', collectorId === undefined ? 'is' : '=', collectorId ?? null),
      eb('bar_id', barId === undefined ? 'is' : '=', barId ?? null),
    ]);
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
      ...{ collector_id: owner.collectorId ?? null, bar_id: owner.barId ?? null },
    })
    .execute();
  await tx.trx
    .insertInto('photo_bodies')
    .values({ photo_id: id, sealed: key.seal(photoContext(id), jpeg) })
    .execute();
  return id;
}

export async function hasPhoto(trx: Transaction<Database>, owner: PhotoHolder): Promise<boolean> {
  const row = await trx.selectFrom('photos').select('id').where(showing(owner)).executeTakeFirst();
  return row !== undefined;
}

/** Gives somebody the photo of another one, sealed anew with the key of its own owner; nothing if there is none that opens. */
export async function copyPhoto(
  keeper: Keeper,
  tx: Tx,
  from: PhotoHolder,
  to: PhotoHolder,
  now: number,
): Promise<void> {
  const row = await tx.trx.selectFrom('photos').select('id').where(showing(from)).executeTakeFirst();
  if (!row) return;
  const owner = { owner_kind: from.kind, owner_id: from.id };
  // A damaged photo must not keep a bar from being copied, or its child from being added.
  const jpeg = await openPhoto(tx.trx, keeper, row.id, owner).catch(() => undefined);
  if (jpeg) await keepPhoto(keeper, tx, to, jpeg, now);
}

/** Deletes photos of an owner: all, all except `except`, or those in `only`. */
export async function dropPhotos(
  { trx }: Tx,
  owner: PhotoHolder,
  { except, only }: { except?: string; only?: readonly string[] } = {},
): Promise<void> {
  if (only?.length === 0) return;
  let photos = trx.deleteFrom('photos').where(showing(owner));
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

/** Ids of the photos of a child's collectors, or of the adults barred from it, by the id of collector or bar. */
export async function findPhotosOfAdults(
  db: Kysely<Database> | Transaction<Database>,
  childId: string,
  by: 'collector_id' | 'bar_id',
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('photos')
    .select(['id', 'collector_id', 'bar_id'])
    .where('owner_kind', '=', 'child')
    .where('owner_id', '=', childId)
    .where(by, 'is not', null)
    .execute();
  return new Map(rows.map((row) => [String(row[by]), row.id]));
}

export interface PhotoOwner {
  readonly owner_kind: 'child' | 'parent';
  readonly owner_id: string;
  /** Who may see it, as `may` asks: the parent, or the child's guardians; none of these if it shows a barred adult. */
  readonly whose: string | readonly Guardianship[];
  /** The bar in force of the adult whom it shows. */
  readonly barId: string | null;
}

/**
 * The owner of a photo of families; undefined if the photo or its owner is gone, if it is of staff, or of an adult who is barred no
 * longer.
 */
export async function findPhotoOwner(db: Kysely<Database>, id: string): Promise<PhotoOwner | undefined> {
  const row = await db
    .selectFrom('photos')
    .leftJoin('children', (join) =>
      join.onRef('children.id', '=', 'photos.owner_id').on('photos.owner_kind', '=', 'child'),
    )
    .leftJoin('parents', (join) =>
      join.onRef('parents.id', '=', 'photos.owner_id').on('photos.owner_kind', '=', 'parent'),
    )
    .leftJoin('collectors', 'collectors.id', 'photos.collector_id')
    .select([
      'photos.owner_kind',
      'photos.owner_id',
      'photos.bar_id',
      'collectors.named_by',
      'children.photo_id as shown',
      guardianOf().$castTo<string | null>().as('parent_id'),
      'parents.id as own_id',
    ])
    .where('photos.id', '=', id)
    .executeTakeFirst();
  if (!row || row.owner_kind === 'admin') return undefined;
  const { owner_kind, owner_id, bar_id: barId, named_by: namedBy, parent_id, own_id } = row;
  if (barId !== null) {
    const bar = await findBar(db, barId);
    if (owner_kind !== 'child' || bar?.child_id !== owner_id || bar.lifted_at !== null) return undefined;
    return { owner_kind, owner_id, whose: [], barId };
  }
  if (owner_kind === 'parent')
    return own_id === null ? undefined : { owner_kind, owner_id, whose: own_id, barId };
  if (parent_id === null) return undefined;
  const guardians = (await findGuardians(db, [{ id: owner_id, parent_id }])).get(owner_id) ?? [];
  // A photo that waits for staff is read by who has sent it; a collector's not by who may not take the child and has not named it.
  const whose =
    row.shown === id
      ? guardians
      : guardians.filter(
          ({ parentId, mayTake }) =>
            parentId === parent_id && (namedBy === null || mayTake || namedBy === parentId),
        );
  return { owner_kind, owner_id, whose, barId };
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
