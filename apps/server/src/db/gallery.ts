/** The enrolled encodings, and the revision that identifies their state. */
import type { AccountKind } from '@haris/contract/roles';
import type { Kysely, Transaction } from 'kysely';
import { acrossFacilities } from '../facility.ts';
import type { Database } from './schema.ts';

export async function findGalleryRevision(db: Kysely<Database> | Transaction<Database>): Promise<number> {
  const row = await db.selectFrom('gallery').select('revision').where('id', '=', 1).executeTakeFirstOrThrow();
  return row.revision;
}

/** Advances the revision in this transaction because the enrolled faces change. */
export async function advanceGallery(trx: Transaction<Database>): Promise<void> {
  await trx
    .updateTable('gallery')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', 1)
    .execute();
}

/** Like {@link advanceGallery}, but only from the given revision; returns false if another change came first. */
export async function advanceGalleryFrom(trx: Transaction<Database>, revision: number): Promise<boolean> {
  const row = await trx
    .updateTable('gallery')
    .set({ revision: revision + 1 })
    .where('id', '=', 1)
    .where('revision', '=', revision)
    .returning('revision')
    .executeTakeFirst();
  return row !== undefined;
}

/** Rows are immutable: a new encoding gets a new id. */
export interface EncodingRow {
  readonly id: string;
  readonly owner: { readonly kind: 'child' | AccountKind; readonly id: string };
  readonly sealed: Uint8Array;
}

/**
 * Encodings of the children whose photo staff have confirmed, and of the adults who asked to be recognised: those of all
 * facilities, because the gallery is one.
 */
export async function findEncodings(db: Kysely<Database>): Promise<EncodingRow[]> {
  const children = await acrossFacilities(() =>
    db
      .selectFrom('face_encodings')
      .innerJoin('children', 'children.id', 'face_encodings.child_id')
      .select(['face_encodings.id', 'face_encodings.child_id', 'face_encodings.sealed'])
      .where('children.photo_confirmed_at', 'is not', null)
      .execute(),
  );
  const adults = await db
    .selectFrom('adult_faces')
    .select(['id', 'account_kind', 'account_id', 'sealed'])
    .where('sealed', 'is not', null)
    .orderBy('id')
    .execute();
  return [
    ...children.map(
      ({ id, child_id, sealed }): EncodingRow => ({ id, owner: { kind: 'child', id: child_id }, sealed }),
    ),
    ...adults.flatMap(({ id, account_kind: kind, account_id, sealed }): EncodingRow[] =>
      sealed ? [{ id, owner: { kind, id: account_id }, sealed }] : [],
    ),
  ];
}
