/** How families prove who they are at a kiosk: PINs, codes of the parent's page, and the grants that follow. */
import { KIOSK_CODE_MS, KIOSK_GRANT_MS } from '@haris/contract/http/kiosk';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { isAlive } from '../lifetime.ts';
import type { Vault } from '../vault/vault.ts';
import { lockParent } from './parents.ts';
import { believed, type Covered, sealed } from './row-seals.ts';
import type { Database } from './schema.ts';

type KioskGrantRow = Selectable<Database['kiosk_grants']>;
/** A parent's PIN, as a hash. */
export type PinRow = Pick<Selectable<Database['kiosk_pins']>, 'parent_id' | 'pin_hash'>;
type Reader = Kysely<Database> | Transaction<Database>;

/** When the parent set a PIN; null if there is none. Milliseconds since 1970. */
export async function findPinTime(db: Reader, parentId: string): Promise<number | null> {
  const row = await db
    .selectFrom('kiosk_pins')
    .select('set_at')
    .where('parent_id', '=', parentId)
    .executeTakeFirst();
  return row?.set_at ?? null;
}

/** Stores the PIN of a parent in place of an older one. */
export async function writePin(
  trx: Transaction<Database>,
  parentId: string,
  values: { readonly pin_hash: string; readonly set_at: number },
): Promise<void> {
  await trx
    .insertInto('kiosk_pins')
    .values({ parent_id: parentId, ...values })
    .onConflict((conflict) => conflict.column('parent_id').doUpdateSet(values))
    .execute();
}

/** Deletes a parent's PIN. Returns false if there was none. */
export async function deletePin(trx: Transaction<Database>, parentId: string): Promise<boolean> {
  const row = await trx
    .deleteFrom('kiosk_pins')
    .where('parent_id', '=', parentId)
    .returning('parent_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the PIN, codes and grants of a parent. */
export async function endKioskProofs(trx: Transaction<Database>, parentId: string): Promise<void> {
  await deletePin(trx, parentId);
  await trx.deleteFrom('kiosk_codes').where('parent_id', '=', parentId).execute();
  await trx.deleteFrom('kiosk_grants').where('parent_id', '=', parentId).execute();
}

/** Accounts in good standing; a kiosk accepts no others. */
const isInOrder = sql<boolean>`parents.email_verified = 1 and parents.disowned_at is null`;

/** Whether the parent still has this PIN and an account in good standing. Locks the parent until the transaction ends. */
export async function holdPin(trx: Transaction<Database>, { parent_id, pin_hash }: PinRow): Promise<boolean> {
  if (!(await lockParent(trx, parent_id))) return false;
  const row = await trx
    .selectFrom('kiosk_pins')
    .innerJoin('parents', 'parents.id', 'kiosk_pins.parent_id')
    .select('kiosk_pins.parent_id')
    .where('kiosk_pins.parent_id', '=', parent_id)
    .where('kiosk_pins.pin_hash', '=', pin_hash)
    .where(isInOrder)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ids and PINs of the parents whose phone ends with these four digits; at most `limit`. */
export async function findPinsByDigits(db: Reader, digits: string, limit: number): Promise<PinRow[]> {
  return db
    .selectFrom('kiosk_pins')
    .innerJoin('parents', 'parents.id', 'kiosk_pins.parent_id')
    .select(['kiosk_pins.parent_id', 'kiosk_pins.pin_hash'])
    .where(isInOrder)
    .where(sql<boolean>`substr(parents.phone, length(parents.phone) - 3) = ${digits}`)
    .orderBy('kiosk_pins.parent_id')
    .limit(limit)
    .execute();
}

/** Stores the code of a session in place of an older one. */
export async function writeKioskCode(
  trx: Transaction<Database>,
  vault: Vault,
  row: Covered<'kiosk_codes'>,
): Promise<void> {
  const { session_hash, ...values } = sealed(vault, 'kiosk_codes', row);
  await trx
    .insertInto('kiosk_codes')
    .values({ session_hash, ...values })
    .onConflict((conflict) => conflict.column('session_hash').doUpdateSet(values))
    .execute();
}

/** Uses up a code, even an expired one. Its parent, if the account is in order and its session has not ended. */
export async function takeKioskCode(
  trx: Transaction<Database>,
  vault: Vault,
  codeHash: string,
  now: number,
): Promise<string | undefined> {
  const found = await trx
    .deleteFrom('kiosk_codes')
    .where('code_hash', '=', codeHash)
    .returningAll()
    .executeTakeFirst();
  const code = believed(vault, 'kiosk_codes', found);
  if (!code || !isAlive({ expiresAt: code.expires_at, lifetimeMs: KIOSK_CODE_MS, now })) return undefined;
  // Whatever ends the account's proofs waits here, or has deleted the session.
  await lockParent(trx, code.parent_id);
  const parent = await trx
    .selectFrom('parents')
    .innerJoin('sessions', 'sessions.account_id', 'parents.id')
    .select('parents.id')
    .where('parents.id', '=', code.parent_id)
    .where('sessions.kind', '=', 'parent')
    .where('sessions.token_hash', '=', code.session_hash)
    .where('sessions.expires_at', '>', now)
    .where(isInOrder)
    .executeTakeFirst();
  return parent?.id;
}

export async function insertGrant(
  trx: Transaction<Database>,
  vault: Vault,
  row: Covered<'kiosk_grants'>,
): Promise<void> {
  await trx
    .insertInto('kiosk_grants')
    .values(sealed(vault, 'kiosk_grants', row))
    .execute();
}

/** Uses up a grant of this kiosk. Undefined if there is none, or if it has expired. */
export async function takeGrant(
  trx: Transaction<Database>,
  vault: Vault,
  grant: { readonly hash: string; readonly kioskId: string; readonly now: number },
): Promise<KioskGrantRow | undefined> {
  const found = await trx
    .deleteFrom('kiosk_grants')
    .where('grant_hash', '=', grant.hash)
    .where('kiosk_id', '=', grant.kioskId)
    .returningAll()
    .executeTakeFirst();
  const row = believed(vault, 'kiosk_grants', found);
  const isUsable = row && isAlive({ expiresAt: row.expires_at, lifetimeMs: KIOSK_GRANT_MS, now: grant.now });
  return isUsable ? row : undefined;
}

/** Deletes codes, grants and pairing codes that have expired. */
export async function deleteExpiredKioskProofs(db: Kysely<Database>, now: number): Promise<void> {
  for (const table of ['kiosk_codes', 'kiosk_grants', 'kiosk_pairings'] as const)
    await db.deleteFrom(table).where('expires_at', '<=', now).execute();
}
