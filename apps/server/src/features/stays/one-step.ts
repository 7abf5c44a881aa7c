/** Runs an action of the desk on one locked child, once per idempotency key, in one transaction. */
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findChild, lockChild } from '../../db/children.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import type { LockedChild } from '../../guardian-rights.ts';
import { presentChild } from '../../http/present.ts';
import { type KeyedRequest, once, type StayAnswer } from './idempotency.ts';

/** Runs `work` once per idempotency key, in one transaction. Throws a refusal after the commit that stores it. */
export async function inOneStep(
  context: Context,
  request: KeyedRequest,
  work: (tx: Tx, child: LockedChild) => Promise<StayAnswer>,
): Promise<StayAnswer> {
  const outcome = await inTransaction(context.db, async (tx) => {
    // Other actions on this child wait here, so that values read next are still valid when the transaction writes.
    const child = await lockChild(tx.trx, request.childId);
    if (!child) throw new AppError('not_found');
    return once(context, tx, request, () => work(tx, { id: request.childId, ...child }));
  });
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome.answer;
}

/** Response with the child as this transaction and the actor see it, written by `present`. Throws 404. */
export async function answerOf(
  tx: Tx,
  actor: Actor,
  childId: string,
  message: string,
  present = presentChild,
): Promise<StayAnswer> {
  const child = await findChild(tx.trx, childId);
  if (!child) throw new AppError('not_found');
  return { message, child: present(child, actor) };
}
