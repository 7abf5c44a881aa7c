/**
 * Limits how many families one staff account adds: each is a way in, and a mail to an address that somebody typed. Knows no
 * family.
 */
import { IMPORTED_ROWS_PER_DAY } from '@haris/contract/http/imports';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { countHit, countHitsSince, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import type { Tx } from '../../db/transaction.ts';
import { requireProof } from '../../http/proof.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

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

/**
 * Admits a further import of an account, counted in portions. Throws `too_many_attempts` if it would import more than
 * {@link IMPORTED_ROWS_PER_DAY} rows in a day.
 */
export async function admitImport(
  context: Context,
  tx: Tx,
  actor: Actor,
  { rows, portion }: { readonly rows: number; readonly portion: number },
): Promise<void> {
  const limit = importLimit(context, actor, portion);
  const rest = limit.most - Math.ceil(rows / portion);
  // As if the whole file were counted already: there must be room for all of it.
  const retryAfter = await secondsUntilRoom(tx.trx, [{ ...limit, most: rest + 1 }], context.clock.now());
  if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
}

/** Counts a portion of an admitted import. */
export async function countPortion(context: Context, tx: Tx, actor: Actor, portion: number): Promise<void> {
  await countHit(tx.trx, [importLimit(context, actor, portion)], context.clock.now());
}

function importLimit(context: Context, actor: Actor, portion: number): Limit {
  const key = context.vault.mac('throttle', actor.id);
  return { scope: 'families imported', key, most: IMPORTED_ROWS_PER_DAY / portion, windowMs: DAY_MS };
}
