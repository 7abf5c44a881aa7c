/**
 * Idempotency keys of stays: the transaction of the first request also stores its response, which a repeated request gets
 * again. Stored responses name a child, so they are sealed with the child's key.
 */
import { createHash } from 'node:crypto';
import { errorBodySchema, fullRoomSchema } from '@haris/contract/errors';
import { childSchema } from '@haris/contract/objects';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findDataKey } from '../../db/data-keys.ts';
import { answerContext, askedHere, keepSealedAnswer, takeKey } from '../../db/idempotency.ts';
import type { Tx } from '../../db/transaction.ts';
import { hideFrom } from '../../http/present.ts';

const answerSchema = z.object({ message: z.string(), child: childSchema });
export type StayAnswer = z.infer<typeof answerSchema>;

const keptSchema = z.union([
  z.object({ ok: answerSchema }),
  z.object({
    refused: z.object({ code: errorBodySchema.shape.code, room: z.optional(fullRoomSchema) }),
  }),
]);
type Kept = z.infer<typeof keptSchema>;

export interface KeyedRequest {
  readonly actor: Actor;
  /** Null if the client sent no key. */
  readonly key: string | null;
  /** Call and parameters, for comparison with a repeated request. */
  readonly asks: string;
  readonly childId: string;
}

/** How long a key is remembered, in milliseconds. */
export const IDEMPOTENCY_KEPT_MS = 24 * 3_600_000;

/**
 * Runs `work` once per key. A 409 is stored like any other response. Refuses with `idempotency_key_reused` if the key was
 * used for a different request.
 */
export async function once(
  context: Context,
  tx: Tx,
  request: KeyedRequest,
  work: () => Promise<StayAnswer>,
): Promise<{ answer: StayAnswer } | { refusal: AppError }> {
  if (request.key === null) return attempt(work);
  const fingerprint = createHash('sha256').update(askedHere(request.asks)).digest('hex');
  const claim = { actorId: request.actor.id, key: request.key, fingerprint };
  const earlier = await takeKey(tx.trx, claim, context.clock.now());
  const answerPlace = answerContext(claim);
  const key = await findDataKey(tx.trx, context.vault, 'child', request.childId);
  if (earlier) {
    if (earlier.fingerprint !== fingerprint) return { refusal: new AppError('idempotency_key_reused') };
    if (!earlier.sealed_answer || !key) return { refusal: new AppError('not_found') };
    const kept = keptSchema.parse(JSON.parse(key.open(answerPlace, earlier.sealed_answer).toString('utf8')));
    if ('refused' in kept) return { refusal: refusalOf(kept.refused) };
    // Its reader may have lost rights since.
    return { answer: { ...kept.ok, child: hideFrom(kept.ok.child, request.actor) } };
  }
  const outcome = await attempt(work);
  const kept: Kept = 'answer' in outcome ? { ok: outcome.answer } : { refused: keptOf(outcome.refusal) };
  // A child without a photo has no data key yet, and a deleted child no longer has one: store nothing.
  if (key) {
    const status = 'answer' in outcome ? 200 : outcome.refusal.status;
    await keepSealedAnswer(tx.trx, claim, status, key.seal(answerPlace, Buffer.from(JSON.stringify(kept))));
  }
  return outcome;
}

/**
 * Claims the key of a press that is told later instead of being called. Returns the answer to the call that succeeded with it, for this
 * child; null if there is none. A call that is still on its way with this key is refused with `idempotency_key_reused`. Call it with the
 * child locked: a call that is in progress waits for the same lock.
 */
export async function claimPress(
  { vault, clock }: Pick<Context, 'vault' | 'clock'>,
  tx: Tx,
  of: { readonly actorId: string; readonly key: string; readonly childId: string },
): Promise<StayAnswer | null> {
  // No call has this fingerprint, which is no hash.
  const row = await takeKey(tx.trx, { ...of, fingerprint: 'told later' }, clock.now());
  const key = await findDataKey(tx.trx, vault, 'child', of.childId);
  if (!row?.sealed_answer || row.status !== 200 || !key) return null;
  try {
    const kept = keptSchema.parse(
      JSON.parse(key.open(answerContext(of), row.sealed_answer).toString('utf8')),
    );
    return 'ok' in kept ? kept.ok : null;
  } catch {
    // Sealed with another child's key, or the answer of another kind of call.
    return null;
  }
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

type Refused = Extract<Kept, { refused: unknown }>['refused'];

function keptOf({ code, extra: { room } }: AppError): Refused {
  return room ? { code, room } : { code };
}

function refusalOf({ code, room }: Refused): AppError {
  return new AppError(code, room ? { room } : {});
}
