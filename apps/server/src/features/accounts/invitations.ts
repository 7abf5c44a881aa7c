/** Limits how many families one staff account imports: each is a way in, and a mail to an address that somebody typed. */
import { IMPORTED_ROWS_PER_DAY } from '@haris/contract/http/imports';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import type { Tx } from '../../db/transaction.ts';

const DAY_MS = 24 * 3_600_000;

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
