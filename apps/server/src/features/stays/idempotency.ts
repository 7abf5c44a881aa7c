/**
 * Idempotency keys: the first request with a key is done and its answer kept in the same transaction; every further one
 * with the same key answers the same and does nothing. Kept answers name a child, so they are sealed with its key.
 */
import { createHash } from 'node:crypto';
import { errorBodySchema } from '@haris/contract/errors';
import { childSchema } from '@haris/contract/objects';
import { z } from 'zod';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findDataKey } from '../../db/data-keys.ts';
import type { Tx } from '../../db/transaction.ts';

const answerSchema = z.object({ message: z.string(), child: childSchema });
export type StayAnswer = z.infer<typeof answerSchema>;

const keptSchema = z.union([
  z.object({ ok: answerSchema }),
  z.object({ refused: errorBodySchema.pick({ code: true }) }),
]);
type Kept = z.infer<typeof keptSchema>;

export interface KeyedRequest {
  readonly actorId: string;
  /** Null: the client sent none. */
  readonly key: string | null;
  /** The call and all that it asks for. */
  readonly asks: string;
  readonly childId: string;
}

/** How long a key is remembered, in milliseconds. */
export const IDEMPOTENCY_KEPT_MS = 24 * 3_600_000;

/**
 * Does `work` once per key. A refusal by the state (409) is an answer too, and is kept.
 * Throws `idempotency_key_reused` when the key came with another request before.
 */
export async function once(
  context: Context,
  tx: Tx,
  request: KeyedRequest,
  work: () => Promise<StayAnswer>,
): Promise<{ answer: StayAnswer } | { refusal: AppError }> {
  if (request.key === null) return attempt(work);
  const fingerprint = createHash('sha256').update(request.asks).digest('hex');
  // Two with the same key at once: the second waits here for the first to be committed.
  const first = await tx.trx
    .insertInto('idempotency_keys')
    .values({
      actor_id: request.actorId,
      key: request.key,
      fingerprint,
      status: null,
      sealed_answer: null,
      created_at: context.clock.now(),
    })
    .onConflict((conflict) => conflict.columns(['actor_id', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  const place = `answer ${request.actorId} ${request.key}`;
  const key = await findDataKey(tx.trx, context.vault, 'child', request.childId);
  if (!first) {
    const row = await tx.trx
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('actor_id', '=', request.actorId)
      .where('key', '=', request.key)
      .executeTakeFirstOrThrow();
    if (row.fingerprint !== fingerprint) return { refusal: new AppError('idempotency_key_reused') };
    if (!row.sealed_answer || !key) return { refusal: new AppError('not_found') };
    const kept = keptSchema.parse(JSON.parse(key.open(place, row.sealed_answer).toString('utf8')));
    return 'ok' in kept ? { answer: kept.ok } : { refusal: new AppError(kept.refused.code) };
  }
  const outcome = await attempt(work);
  const kept: Kept =
    'answer' in outcome ? { ok: outcome.answer } : { refused: { code: outcome.refusal.code } };
  // A child without a photo has no key yet, and one that was just deleted has none any more: nothing is kept of it.
  if (key)
    await tx.trx
      .updateTable('idempotency_keys')
      .set({
        status: 'answer' in outcome ? 200 : outcome.refusal.status,
        sealed_answer: key.seal(place, Buffer.from(JSON.stringify(kept))),
      })
      .where('actor_id', '=', request.actorId)
      .where('key', '=', request.key)
      .execute();
  return outcome;
}

async function attempt(
  work: () => Promise<StayAnswer>,
): Promise<{ answer: StayAnswer } | { refusal: AppError }> {
  try {
    return { answer: await work() };
  } catch (error) {
    if (error instanceof AppError && error.status === 409) return { refusal: error };
    throw error;
  }
}
