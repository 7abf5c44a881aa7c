/**
 * Adults who asked the cameras to recognise them, and the encodings of their faces. Sightings of adults are never stored.
 */
import { randomUUID } from 'node:crypto';
import type { RecognitionProblem } from '@haris/contract/http/recognition';
import type { AccountKind } from '@haris/contract/roles';
import type { VisionEnrolAnswer } from '@haris/contract/vision';
import type { Kysely, Transaction } from 'kysely';
import type { Vault } from '../vault/vault.ts';
import { destroyDataKey, takeDataKey } from './data-keys.ts';
import { sealEncoding } from './encoding.ts';
import { noteErasure } from './erasures.ts';
import { hasPhoto } from './photos.ts';
import type { Database } from './schema.ts';

export interface AdultAccount {
  readonly kind: AccountKind;
  readonly id: string;
}

export interface AdultState {
  /** When recognition was switched on, in milliseconds since 1970; null while it is off. */
  readonly since: number | null;
  /** Why a new photo switched recognition off. */
  readonly problem: RecognitionProblem | null;
}

/** Undefined if the account never asked for recognition, or switched it off. */
export async function findAdultState(
  db: Kysely<Database> | Transaction<Database>,
  { kind, id }: AdultAccount,
): Promise<AdultState | undefined> {
  const row = await db
    .selectFrom('adult_faces')
    .select(['problem', 'created_at'])
    .where('account_kind', '=', kind)
    .where('account_id', '=', id)
    .executeTakeFirst();
  return row && { since: row.problem === null ? row.created_at : null, problem: row.problem };
}

/** Stores the account's only encoding. Advance the gallery in the same transaction. */
export async function keepAdultFace(
  { vault }: { readonly vault: Vault },
  trx: Transaction<Database>,
  account: AdultAccount,
  { encoding, model, quality }: Pick<VisionEnrolAnswer, 'encoding' | 'model' | 'quality'>,
  since: number,
): Promise<void> {
  await dropRow(trx, account);
  const key = await takeDataKey(trx, vault, account.kind, account.id);
  const id = randomUUID();
  await trx
    .insertInto('adult_faces')
    .values({
      id,
      account_kind: account.kind,
      account_id: account.id,
      sealed: sealEncoding(key, id, encoding),
      model,
      quality,
      problem: null,
      created_at: since,
    })
    .execute();
}

/** Erases the encoding and stores the reason, which the person sees. Advance the gallery in the same transaction. */
export async function keepAdultProblem(
  trx: Transaction<Database>,
  account: AdultAccount,
  problem: RecognitionProblem,
  at: number,
): Promise<void> {
  await dropRow(trx, account);
  await trx
    .insertInto('adult_faces')
    .values({
      id: randomUUID(),
      account_kind: account.kind,
      account_id: account.id,
      sealed: null,
      model: null,
      quality: null,
      problem,
      created_at: at,
    })
    .execute();
}

/**
 * Erases all data about an adult's face. Returns true if there was an encoding; the caller then advances the gallery, and
 * calls `eraseDestroyedKeys` after the commit. `at`: milliseconds since 1970.
 */
export async function dropAdultFace(
  trx: Transaction<Database>,
  account: AdultAccount,
  at: number,
): Promise<boolean> {
  const gone = await dropRow(trx, account);
  if (gone) await noteErasure(trx, { kind: 'adult_face', id: gone.id, at });
  await destroyStaffKey(trx, account);
  return gone !== undefined && gone.problem === null;
}

/** Like {@link dropAdultFace}, by enrolment id; returns the account that it belonged to, or undefined. */
export async function dropAdultFaceById(
  trx: Transaction<Database>,
  id: string,
): Promise<AdultAccount | undefined> {
  const row = await trx
    .deleteFrom('adult_faces')
    .where('id', '=', id)
    .returning(['account_kind', 'account_id'])
    .executeTakeFirst();
  if (!row) return undefined;
  const account = { kind: row.account_kind, id: row.account_id };
  await destroyStaffKey(trx, account);
  return account;
}

/** A key that also seals a photo is kept. A parent's is deleted with the account. */
async function destroyStaffKey(trx: Transaction<Database>, { kind, id }: AdultAccount): Promise<void> {
  if (kind === 'admin' && !(await hasPhoto(trx, { kind, id }))) await destroyDataKey(trx, kind, id);
}

async function dropRow(
  trx: Transaction<Database>,
  { kind, id }: AdultAccount,
): Promise<{ id: string; problem: RecognitionProblem | null } | undefined> {
  return trx
    .deleteFrom('adult_faces')
    .where('account_kind', '=', kind)
    .where('account_id', '=', id)
    .returning(['id', 'problem'])
    .executeTakeFirst();
}

export interface RecognisedAdult extends AdultAccount {
  readonly name: string;
  /** The photo of a parent; staff have none. */
  readonly photoId: string | null;
}

/** All adults whom the cameras recognise. */
export async function findRecognisedAdults(db: Kysely<Database>): Promise<RecognisedAdult[]> {
  const rows = await db
    .selectFrom('adult_faces')
    .leftJoin('parents', (join) =>
      join.onRef('parents.id', '=', 'account_id').on('account_kind', '=', 'parent'),
    )
    .leftJoin('staff', (join) => join.onRef('staff.id', '=', 'account_id').on('account_kind', '=', 'admin'))
    .select(({ fn }) => [
      'account_kind',
      'account_id',
      'parents.photo_id',
      fn.coalesce('parents.name', 'staff.name').as('name'),
    ])
    .where('sealed', 'is not', null)
    .execute();
  return rows.flatMap(({ account_kind: kind, account_id: id, name, photo_id: photoId }) =>
    name === null ? [] : [{ kind, id, name, photoId }],
  );
}
