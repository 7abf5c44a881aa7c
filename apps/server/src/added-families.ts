/** Limits how many accounts of families one staff account adds: each is a way in, and a mail to an address that somebody typed. */
import type { Actor } from './actor.ts';
import type { Context } from './context.ts';
import { countHit, countHitsSince } from './db/throttle.ts';
import type { Tx } from './db/transaction.ts';
import { requireProof } from './http/proof.ts';

const HOUR_MS = 3_600_000;

/** Families that one account may add one by one in an hour without a proof. A desk needs about two minutes for each. */
const ADDED_WITHOUT_PROOF = 30;

/** Counts a family that staff add by hand. Throws `proof_required` beyond {@link ADDED_WITHOUT_PROOF} in an hour. */
export async function countAdded(context: Context, tx: Tx, actor: Actor): Promise<void> {
  const now = context.clock.now();
  const [scope, key] = ['family added', context.vault.mac('throttle', actor.id)];
  if ((await countHitsSince(tx.trx, scope, key, now - HOUR_MS)) >= ADDED_WITHOUT_PROOF)
    await requireProof(context, actor, tx.trx);
  await countHit(tx.trx, [{ scope, key, most: ADDED_WITHOUT_PROOF, windowMs: HOUR_MS }], now);
}
