/**
 * Adults who asked that the cameras recognise them: what is kept of their faces, and how the face engine is told of them.
 * Nobody here is looked for among the children, and nothing is kept of where an adult was.
 */
import { randomUUID } from 'node:crypto';
import { distanceOf } from '@haris/contract/face-distance';
import type { RecognitionProblem } from '@haris/contract/http/recognition';
import type { AccountKind } from '@haris/contract/roles';
import type { VisionEnrolAnswer } from '@haris/contract/vision';
import type { RosterEntry } from '@haris/contract/vision-live';
import type { Kysely, Transaction } from 'kysely';
import { destroyDataKey, findDataKey, takeDataKey } from '../db/data-keys.ts';
import { noteErasure } from '../db/erasures.ts';
import type { Database } from '../db/schema.ts';
import type { Vault } from '../vault/vault.ts';
import { openEncoding, sealEncoding } from './encoding.ts';

export interface AdultAccount {
  readonly kind: AccountKind;
  readonly id: string;
}

export type AdultKind = Exclude<RosterEntry['kind'], 'child'>;

const kindOf = { parent: 'guardian', admin: 'staff' } as const satisfies Record<AccountKind, AdultKind>;

/** As the face engine calls an adult. A child is called by its id, a UUID, which none of these can be. */
function subjectOf({ kind, id }: AdultAccount): string {
  return `${kindOf[kind]} ${id}`;
}

/** Whether the face engine speaks of an adult. */
export function isAdultSubject(subjectId: string): boolean {
  return Object.values(kindOf).some((kind) => subjectId.startsWith(`${kind} `));
}

export interface AdultState {
  /** Milliseconds since 1970, when it was switched on; null while off. */
  readonly since: number | null;
  /** Why a new photo switched it off. */
  readonly problem: RecognitionProblem | null;
}

/** Undefined for who never asked, or switched it off. */
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

/** Keeps the encoding as the account's only one. Say with it that the gallery advances. */
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

/** Erases the encoding and keeps why, so that the person can be told. Say with it that the gallery advances. */
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
 * Erases all that is kept of an adult's face; true where there was an encoding: then say that the gallery advances, and
 * call `eraseDestroyedKeys` after the commit. `at`: milliseconds since 1970.
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

/** As {@link dropAdultFace}, by the id of an enrolment; answers whose it was. Undefined where it is not there. */
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

/** A parent's key is the photo's too, and goes with the account. */
async function destroyStaffKey(trx: Transaction<Database>, { kind, id }: AdultAccount): Promise<void> {
  if (kind === 'admin') await destroyDataKey(trx, kind, id);
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

/** Names of the adults whom the cameras recognise, by what the face engine calls them. */
export async function findAdultNames(
  db: Kysely<Database>,
): Promise<Map<string, { readonly name: string; readonly kind: AdultKind }>> {
  const rows = await db
    .selectFrom('adult_faces')
    .leftJoin('parents', (join) =>
      join.onRef('parents.id', '=', 'account_id').on('account_kind', '=', 'parent'),
    )
    .leftJoin('admins', (join) => join.onRef('admins.id', '=', 'account_id').on('account_kind', '=', 'admin'))
    .select(({ fn }) => ['account_kind', 'account_id', fn.coalesce('parents.name', 'admins.name').as('name')])
    .where('sealed', 'is not', null)
    .execute();
  const found = new Map<string, { name: string; kind: AdultKind }>();
  for (const { account_kind: kind, account_id: id, name } of rows)
    if (name !== null) found.set(subjectOf({ kind, id }), { name, kind: kindOf[kind] });
  return found;
}

export interface NearAdult {
  readonly kind: AdultKind;
  readonly name: string;
  /** Of a guardian's account. */
  readonly photoId: string | null;
  /** Euclidean; smaller is nearer. */
  readonly distance: number;
}

/** Adults whom the cameras recognise and whose face lies nearer than `maxDistance`, nearest first; never `but`. */
export async function findAdultsNear(
  { db, vault }: { readonly db: Kysely<Database>; readonly vault: Vault },
  encoding: readonly number[],
  maxDistance: number,
  but: AdultAccount | null,
): Promise<NearAdult[]> {
  const rows = await db
    .selectFrom('adult_faces')
    .leftJoin('parents', (join) =>
      join.onRef('parents.id', '=', 'account_id').on('account_kind', '=', 'parent'),
    )
    .leftJoin('admins', (join) => join.onRef('admins.id', '=', 'account_id').on('account_kind', '=', 'admin'))
    .select(({ fn }) => [
      'adult_faces.id',
      'account_kind',
      'account_id',
      'sealed',
      'parents.photo_id',
      fn.coalesce('parents.name', 'admins.name').as('name'),
    ])
    .where('sealed', 'is not', null)
    .execute();
  const near: NearAdult[] = [];
  for (const { id, account_kind: kind, account_id, sealed, photo_id: photoId, name } of rows) {
    if (!sealed || name === null || (but?.kind === kind && but.id === account_id)) continue;
    const key = await findDataKey(db, vault, kind, account_id);
    if (!key) continue;
    const distance = distanceOf(openEncoding(key, id, sealed), encoding);
    if (distance < maxDistance) near.push({ kind: kindOf[kind], name, photoId, distance });
  }
  return near.sort((a, b) => a.distance - b.distance);
}

export interface Adults {
  /** As the roster has them, at least as new as this revision of the gallery. */
  read(revision: number): Promise<readonly RosterEntry[]>;
}

export function openAdults(db: Kysely<Database>, vault: Vault): Adults {
  /** Opened encodings by row id: rows never change. */
  let opened = new Map<string, number[]>();
  let held: { readonly revision: number; readonly entries: readonly RosterEntry[] } | null = null;

  async function readEntries(): Promise<readonly RosterEntry[]> {
    const rows = await db
      .selectFrom('adult_faces')
      .select(['id', 'account_kind', 'account_id', 'sealed'])
      .where('sealed', 'is not', null)
      .orderBy('id')
      .execute();
    const kept = new Map<string, number[]>();
    const entries: RosterEntry[] = [];
    for (const { id, account_kind: kind, account_id, sealed } of rows) {
      const account = { kind, id: account_id };
      const key = opened.has(id) ? undefined : await findDataKey(db, vault, kind, account_id);
      const encoding = opened.get(id) ?? (key && sealed ? openEncoding(key, id, sealed) : undefined);
      if (!encoding) continue;
      kept.set(id, encoding);
      // Nobody checks an adult in: who asked is recognised whenever there.
      entries.push({
        subjectId: subjectOf(account),
        kind: kindOf[kind],
        inside: true,
        encodings: [encoding],
      });
    }
    opened = kept;
    return entries;
  }

  return {
    async read(revision) {
      if (held?.revision !== revision) held = { revision, entries: await readEntries() };
      return held.entries;
    },
  };
}
