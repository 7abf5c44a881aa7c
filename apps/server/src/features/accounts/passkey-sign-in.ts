/**
 * Signs people in with only a passkey. It combines two factors: possession of the device, and the device's check of the
 * person (decision 041).
 */
import type { PasskeyAnswer } from '@haris/contract/http/factors';
import type { AccountKind } from '@haris/contract/roles';
import type { Origin } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { type Account, type AccountRow, findAccount, lockAccount } from '../../db/accounts.ts';
import { createChallenge, tryChallenge, useChallenge } from '../../db/factor-challenges.ts';
import { findFactors, findPasskey } from '../../db/second-factors.ts';
import { inTransaction } from '../../db/transaction.ts';
import { acceptsPasskey, passkeyUserOf, relyingPartyOf, webauthn } from './factor-answers.ts';
import type { From } from './from.ts';
import { countPasskeySignIn, countSignIn, countUnverified } from './limits.ts';
import { notVerified } from './mail-answers.ts';
import type { SignedIn } from './second-step.ts';
import { mailFreshLink, openSession } from './sign-in.ts';

/** Challenge and options for the browser, which offers every passkey of this host. Throws `too_many_attempts`. */
export async function beginPasskeySignIn(
  context: Context,
  kind: AccountKind,
  origin: Origin,
): Promise<{ challenge: string; passkey: Record<string, unknown> }> {
  await countPasskeySignIn(context, origin);
  const challenge = await inTransaction(context.db, ({ trx }) =>
    createChallenge(
      trx,
      context.vault,
      { purpose: 'passkey', account: { kind, id: '' }, binding: '', codeMac: null },
      context.clock.now(),
    ),
  );
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingPartyOf(context).id,
    challenge: Buffer.from(challenge, 'base64url'),
    userVerification: 'required',
  });
  return { challenge, passkey: { ...options } };
}

/**
 * Signs in. The challenge is used up in any case. Throws `invalid_credentials` for every answer that does not fit;
 * `sign_in_elsewhere` if only the organisation signs this person in; `email_not_verified`; `too_many_attempts`; the errors
 * of `openSession`.
 */
export async function signInByPasskey(
  context: Context,
  { challenge, passkey }: { readonly challenge: string; readonly passkey: PasskeyAnswer },
  from: From,
): Promise<SignedIn> {
  const asked = await inTransaction(context.db, async ({ trx }) => {
    const row = await tryChallenge(trx, context.vault, challenge, 'passkey', context.clock.now());
    return row && (await useChallenge(trx, row.challenge_hash)) ? row : undefined;
  });
  if (!asked) throw new AppError('invalid_credentials');
  const account = await findOwner(context, passkey);
  if (!account || !(await isRight(context, account, passkey, challenge))) {
    await recordFailure(context, account, asked.account_kind, from.origin);
    throw new AppError('invalid_credentials');
  }
  const owner = await findAccount(context.db, account);
  if (owner?.email_verified === 0) {
    await countUnverified(context, account.kind, account.id);
    await mailFreshLink(context, account.kind, owner, from.origin);
    throw await notVerified(context, account.kind);
  }
  await countSignIn(context, account.kind, account.id);
  const token = await inTransaction(context.db, async (tx) => {
    const row = await lockAccount(tx.trx, account);
    // The passkey or the account was removed in the meantime.
    if (row?.email_verified !== 1 || !(await findPasskey(tx.trx, passkey.id)))
      throw new AppError('invalid_credentials');
    if (signsInElsewhere(context, account.kind, row)) throw new AppError('sign_in_elsewhere');
    return openSession(context, tx, account.kind, row, from, 'second', { by: 'passkey' });
  });
  return { token, kind: account.kind, accountId: account.id, factor: 'second' };
}

/** An account without a password ends where its organisation ends it, so a passkey must not bypass the provider. */
function signsInElsewhere({ config }: Context, kind: AccountKind, { password_hash }: AccountRow): boolean {
  return kind === 'admin' && !password_hash && config.oidc !== null;
}

/** The owner of the passkey; undefined if it is unknown, or if the answer names another account. */
async function findOwner(context: Context, { id, response }: PasskeyAnswer): Promise<Account | undefined> {
  const found = await findPasskey(context.db, id);
  if (!found) return undefined;
  const account = { kind: found.account_kind, id: found.account_id };
  return response.userHandle === passkeyUserOf(context, account).toString('base64url') ? account : undefined;
}

function isRight(
  context: Context,
  account: Account,
  passkey: PasskeyAnswer,
  challenge: string,
): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    if (!(await lockAccount(tx.trx, account))) return false;
    const factors = await findFactors(tx.trx, account);
    return acceptsPasskey(context, tx, factors, passkey, { challenge, isAlone: true });
  });
}

/**
 * Appends a failure to the audit log. Failures do not count against the account: they are not guesses, and strangers
 * could lock it.
 */
async function recordFailure(
  context: Context,
  account: Account | undefined,
  kind: AccountKind,
  origin: Origin,
): Promise<void> {
  await inTransaction(context.db, (tx) =>
    context.audit.append(tx, {
      actor: null,
      origin,
      action: `${account?.kind ?? kind}.sign_in_failed`,
      ...(account ? { subject: account } : {}),
      details: { reason: 'wrong_passkey' },
    }),
  );
}
