/** The second factors of an account: listing and removing them, and a reset after a loss (decision 041). */
import type { Factor } from '@haris/contract/http/factors';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { type Account, lockAccount } from '../../db/accounts.ts';
import {
  countRecoveryCodes,
  deleteFactor,
  deleteFactorsOf,
  deleteRecoveryCodes,
  findFactors,
} from '../../db/second-factors.ts';
import { endSessionsOf } from '../../db/session-ends.ts';
import { endStaffPin } from '../../db/staff-pins.ts';
import { inTransaction } from '../../db/transaction.ts';
import { requireRightsOf, requireRightsOverFamily } from '../../staff-rights.ts';
import { forgetWrongAnswers } from './factor-answers.ts';
import { lockOwn, makeRecoveryCodes, presentFactor, recordFactorChange } from './factor-changes.ts';
import { isFactorRequired, isFactorRequiredNow } from './second-step.ts';

/** The second factors of an account, as its owner sees them. */
export async function getFactors(
  context: Context,
  account: Account,
): Promise<{ factors: Factor[]; recoveryCodesLeft: number; isRequired: boolean }> {
  const factors = await findFactors(context.db, account);
  return {
    factors: factors.map(presentFactor),
    recoveryCodesLeft: await countRecoveryCodes(context.db, account),
    isRequired: await isFactorRequired(context, account.kind),
  };
}

/** Replaces the caller's recovery codes. Throws `no_factor`. */
export async function renewRecoveryCodes(context: Context, actor: Actor): Promise<string[]> {
  const codes = await inTransaction(context.db, async (tx) => {
    const row = await lockOwn(tx, actor);
    if ((await findFactors(tx.trx, actor)).length === 0) throw new AppError('no_factor');
    const made = await makeRecoveryCodes(context, tx, actor);
    await recordFactorChange(context, tx, actor, actor, row, 'recovery_codes_renewed');
    return made;
  });
  await context.mails.settled();
  return codes;
}

/** Removes one of the caller's factors. Throws 404; `last_factor` if this person must have one. */
export async function removeFactor(context: Context, actor: Actor, id: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const row = await lockOwn(tx, actor);
    const gone = await deleteFactor(tx.trx, actor, id);
    if (!gone) throw new AppError('not_found');
    const isLast = (await findFactors(tx.trx, actor)).length === 0;
    if (isLast && (await isFactorRequiredNow(context, tx, actor.kind))) throw new AppError('last_factor');
    if (isLast) await deleteRecoveryCodes(tx.trx, actor);
    await recordFactorChange(context, tx, actor, actor, row, 'factor_removed', gone);
  });
  await context.mails.settled();
}

/**
 * Removes all second factors of another person, who has lost them. Ends that person's sessions and sends a mail. Throws
 * 404; `own_account` for the actor's own.
 */
export async function resetFactors(context: Context, actor: Actor, account: Account): Promise<void> {
  if (actor.kind === account.kind && actor.id === account.id)
    throw new AppError('own_account', { message: 'Remove your own second factors on your account page.' });
  await inTransaction(context.db, async (tx) => {
    const row = await lockAccount(tx.trx, account);
    if (!row) throw new AppError('not_found');
    if (account.kind === 'admin') await requireRightsOf(tx.trx, actor, account.id);
    else await requireRightsOverFamily(tx.trx, actor, account.id, 'families.block');
    await deleteFactorsOf(tx.trx, account);
    if (account.kind === 'admin') await endStaffPin(tx.trx, account.id);
    await forgetWrongAnswers(context, tx, account);
    await endSessionsOf(tx.trx, account.kind, account.id);
    await recordFactorChange(context, tx, actor, account, row, 'factors_reset');
  });
  await context.mails.settled();
}
