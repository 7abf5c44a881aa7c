/** Common parts of all changes to an account's second factors: lock, mail and audit row, recovery codes. */
import { randomInt } from 'node:crypto';
import { RECOVERY_CODES } from '@haris/contract/constants';
import { type Factor, RECOVERY_ALPHABET } from '@haris/contract/http/factors';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { type Account, type AccountRow, lockAccount } from '../../db/accounts.ts';
import type { SecondFactorRow } from '../../db/schema.ts';
import { replaceRecoveryCodes } from '../../db/second-factors.ts';
import type { Tx } from '../../db/transaction.ts';
import { mailFactorChange } from '../../mail/account-mails.ts';
import { recoveryCodeMac } from './factor-answers.ts';

/** A factor as its owner sees it. */
export function presentFactor({ id, kind, name, created_at, last_used_at }: SecondFactorRow): Factor {
  return {
    _id: id,
    kind,
    name,
    addedAt: toMoment(created_at),
    lastUsedAt: last_used_at === null ? null : toMoment(last_used_at),
  };
}

/** Locks the actor's account. Throws 401 if it is gone. */
export async function lockOwn(tx: Tx, actor: Actor): Promise<AccountRow> {
  const row = await lockAccount(tx.trx, actor);
  if (!row) throw new AppError('unauthenticated');
  return row;
}

/**
 * Mails a change to the account's owner, and appends it to the audit log; staff lists that show who has a factor are read
 * again. `factor`: the one that was added or removed.
 */
export async function recordFactorChange(
  context: Context,
  tx: Tx,
  actor: Actor,
  { kind, id }: Account,
  row: AccountRow,
  what: 'factor_added' | 'factor_removed' | 'factors_reset' | 'recovery_codes_renewed',
  factor?: SecondFactorRow,
): Promise<void> {
  await mailFactorChange(context, tx, { ...row, kind, accountId: id }, what, factor?.name);
  await context.audit.append(tx, {
    actor,
    action: `${kind}.${what}`,
    subject: { kind, id },
    ...(factor === undefined ? {} : { details: { factor: factor.kind } }),
  });
  if (kind === 'admin') await context.events.append(tx, { type: 'admin.updated' });
}

/** Replaces the recovery codes, and returns the new ones in the form that is shown once: `abcde-23456`. */
export async function makeRecoveryCodes(context: Context, tx: Tx, account: Account): Promise<string[]> {
  const letter = () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)] ?? '';
  const codes = Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: 10 }, letter).join(''));
  await replaceRecoveryCodes(
    tx.trx,
    account,
    codes.map((code) => recoveryCodeMac(context, account, code)),
  );
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}
