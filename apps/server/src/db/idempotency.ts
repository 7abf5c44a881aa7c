/** Idempotency keys of calls whose answers are about no one person: the first request with a key is done, the rest answer the same. */
import type { Transaction } from 'kysely';
import type { Vault } from '../vault/vault.ts';
import type { Database } from './schema.ts';

export interface KeyClaim {
  readonly actorId: string;
  readonly key: string;
  /** Of the call and all that it asks for. */
  readonly fingerprint: string;
}

function placeOf({ actorId, key }: KeyClaim): string {
  return `answer ${actorId} ${key}`;
}

/**
 * Takes a key for this transaction; a second request with it waits here for the first to be committed.
 * `kept` is the answer of an earlier request, `reused` says that it was another request.
 */
export async function claimKey(
  trx: Transaction<Database>,
  vault: Vault,
  claim: KeyClaim,
  now: number,
): Promise<{ state: 'first' } | { state: 'reused' } | { state: 'kept'; answer: unknown }> {
  const first = await trx
    .insertInto('idempotency_keys')
    .values({
      actor_id: claim.actorId,
      key: claim.key,
      fingerprint: claim.fingerprint,
      status: null,
      sealed_answer: null,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['actor_id', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  if (first) return { state: 'first' };
  // Written, not only read, so that this transaction holds a lock on the row.
  const row = await trx
    .updateTable('idempotency_keys')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('actor_id', '=', claim.actorId)
    .where('key', '=', claim.key)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (row.fingerprint !== claim.fingerprint || !row.sealed_answer) return { state: 'reused' };
  const answer: unknown = JSON.parse(vault.open(placeOf(claim), row.sealed_answer).toString('utf8'));
  return { state: 'kept', answer };
}

/** Keeps the answer of the request that took the key, or how far it has come, with the same transaction. */
export async function keepAnswer(
  trx: Transaction<Database>,
  vault: Vault,
  claim: KeyClaim,
  status: number,
  answer: unknown,
): Promise<void> {
  await trx
    .updateTable('idempotency_keys')
    .set({ status, sealed_answer: vault.seal(placeOf(claim), Buffer.from(JSON.stringify(answer))) })
    .where('actor_id', '=', claim.actorId)
    .where('key', '=', claim.key)
    .execute();
}
