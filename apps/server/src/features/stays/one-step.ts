/** How the desk acts on one child: alone, once per idempotency key, in one transaction. */
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findChild, takeChild } from '../../db/children.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { presentChild } from '../../http/present.ts';
import { type KeyedRequest, once, type StayAnswer } from './idempotency.ts';

/** Runs `work` once for its idempotency key, all in one transaction; a refusal is thrown after the commit that keeps it. */
export async function inOneStep(
  context: Context,
  request: KeyedRequest,
  work: (tx: Tx) => Promise<StayAnswer>,
): Promise<StayAnswer> {
  const outcome = await inTransaction(context.db, async (tx) => {
    // Whoever else acts on this child waits here, so that what is read next is still true when it is written.
    if (!(await takeChild(tx.trx, request.childId))) throw new AppError('not_found');
    return once(context, tx, request, () => work(tx));
  });
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome.answer;
}

/** The child as it stands in this transaction. Throws 404. */
export async function answerOf(tx: Tx, childId: string, message: string): Promise<StayAnswer> {
  const child = await findChild(tx.trx, childId);
  if (!child) throw new AppError('not_found');
  return { message, child: presentChild(child, 'admin') };
}
