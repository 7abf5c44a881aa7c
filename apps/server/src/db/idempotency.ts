/**
 * Idempotency keys: the first request with a key runs and its response is stored; a repeated request gets that response.
 */
import type { Kysely, Transaction } from 'kysely';
import { facilityOrMain, MAIN_FACILITY } from '../facility.ts';
import type { Vault } from '../vault/vault.ts';
import type { Database, IdempotencyKeyRow } from './schema.ts';

export interface KeyClaim {
  readonly actorId: string;
  readonly key: string;
  /** Hash of the call with all its input. */
  readonly fingerprint: string;
}

/**
 * Identifies a call for its fingerprint: the same call at another facility is a different call. At the main facility
 * the value is the same as before facilities existed.
 */
export function askedHere(asks: string): string {
  const place = facilityOrMain();
  return place === MAIN_FACILITY ? asks : `${place} ${asks}`;
}

/** The context under which a response is sealed. */
export function answerContext({ actorId, key }: Pick<KeyClaim, 'actorId' | 'key'>): string {
  return `answer ${actorId} ${key}`;
}

/**
 * Claims a key in this transaction; a second request with the same key waits here until the first one commits. Returns
 * null for the first request, otherwise the locked row of the earlier one.
 */
export async function takeKey(
  trx: Transaction<Database>,
  { actorId, key, fingerprint }: KeyClaim,
  now: number,
): Promise<IdempotencyKeyRow | null> {
  const first = await trx
    .insertInto('idempotency_keys')
    .values({ actor_id: actorId, key, fingerprint, status: null, sealed_answer: null, created_at: now })
    .onConflict((conflict) => conflict.columns(['actor_id', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  if (first) return null;
  // An update instead of a select, to lock the row.
  return trx
    .updateTable('idempotency_keys')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('actor_id', '=', actorId)
    .where('key', '=', key)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Stores the sealed response of the request that claimed the key, in the same transaction. */
export async function keepSealedAnswer(
  trx: Transaction<Database>,
  { actorId, key }: Pick<KeyClaim, 'actorId' | 'key'>,
  status: number,
  sealed: Uint8Array,
): Promise<void> {
  await trx
    .updateTable('idempotency_keys')
    .set({ status, sealed_answer: sealed })
    .where('actor_id', '=', actorId)
    .where('key', '=', key)
    .execute();
}

/**
 * Claims the key of a call whose response concerns no single person, so that the vault itself seals it. `kept` carries
 * the response to an earlier request; `reused` means that the earlier request was a different one.
 */
export async function claimKey(
  trx: Transaction<Database>,
  vault: Vault,
  claim: KeyClaim,
  now: number,
): Promise<{ state: 'first' } | { state: 'reused' } | { state: 'kept'; answer: unknown }> {
  const row = await takeKey(trx, claim, now);
  if (!row) return { state: 'first' };
  if (row.fingerprint !== claim.fingerprint || !row.sealed_answer) return { state: 'reused' };
  const answer: unknown = JSON.parse(vault.open(answerContext(claim), row.sealed_answer).toString('utf8'));
  return { state: 'kept', answer };
}

/** Stores the response of the request that claimed the key, or its progress so far, in the same transaction. */
export async function keepAnswer(
  trx: Transaction<Database>,
  vault: Vault,
  claim: KeyClaim,
  status: number,
  answer: unknown,
): Promise<void> {
  const sealed = vault.seal(answerContext(claim), Buffer.from(JSON.stringify(answer)));
  await keepSealedAnswer(trx, claim, status, sealed);
}

/** Status of a stored response that is the progress of a call so far. */
export const UNFINISHED = 202;

/** The progress of a call that {@link keepAnswer} stored as {@link UNFINISHED}; null if there is none. */
export async function findUnfinished(
  db: Kysely<Database>,
  vault: Vault,
  of: Pick<KeyClaim, 'actorId' | 'key'>,
): Promise<unknown> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select('sealed_answer')
    .where('actor_id', '=', of.actorId)
    .where('key', '=', of.key)
    .where('status', '=', UNFINISHED)
    .executeTakeFirst();
  return row?.sealed_answer
    ? JSON.parse(vault.open(answerContext(of), row.sealed_answer).toString('utf8'))
    : null;
}

/** Deletes keys with their responses. `before`: milliseconds since 1970. */
export async function deleteAnswersBefore(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', before).execute();
}
