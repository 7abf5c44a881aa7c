/** The second step of a sign-in (decision 041): challenges, and the session that a right answer opens. */
import { randomInt } from 'node:crypto';
import { OIDC_SESSION_MS } from '@haris/contract/constants';
import type { SecondStep, SecondStepBody } from '@haris/contract/http/factors';
import type { AccountKind } from '@haris/contract/roles';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { type AccountRow, findAccount, lockAccount } from '../../db/accounts.ts';
import {
  type ChallengeRow,
  createChallenge,
  tryChallenge,
  useChallenge,
} from '../../db/factor-challenges.ts';
import { findLinkById, updateLink } from '../../db/oidc.ts';
import type { SessionFactor } from '../../db/schema.ts';
import { findFactors } from '../../db/second-factors.ts';
import { lockSettings, readSettings } from '../../db/settings.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { proofMethodsOf } from '../../http/proof.ts';
import { mailFactorCode } from '../../mail/account-mails.ts';
import { mayMail } from '../../mail/mail-limits.ts';
import { hashToken } from '../../vault/vault.ts';
import { acceptsAnswer, countWrongAnswer, inFactorTurn, passkeyOptions } from './factor-answers.ts';
import type { From } from './from.ts';
import { isOwnPlace } from './limits.ts';
import { confirmLink } from './oidc-links.ts';
import { budgetOf, countFailure } from './sign-in-limits.ts';

/** Whether this account must have a second factor. */
export async function isFactorRequired(context: Context, kind: AccountKind): Promise<boolean> {
  return kind === 'admin' && (await readSettings(context.db, context.config)).staffSecondFactor;
}

/** Like {@link isFactorRequired}, in a transaction: a change of the rule waits until it ends. */
export async function isFactorRequiredNow(
  { config }: Context,
  { trx }: Tx,
  kind: AccountKind,
): Promise<boolean> {
  if (kind !== 'admin') return false;
  await lockSettings(trx);
  return (await readSettings(trx, config)).staffSecondFactor;
}

/** A challenge holds only while the account has the password that was checked. */
function bindingOf({ password_hash }: AccountRow): string {
  return hashToken(password_hash ?? '');
}

function mailCodeMac(context: Context, accountId: string, code: string): string {
  return context.vault.mac('mailed factor code', `${accountId} ${code}`);
}

/**
 * Begins the second step after a right password, or after the identity provider (`oidcLink`). Null if none is needed.
 * Mails a code to a person who must have a second factor and has none. Throws `too_many_attempts` if too many mails
 * went there.
 */
export async function beginSecondStep(
  context: Context,
  kind: AccountKind,
  row: AccountRow,
  { browser }: From,
  oidcLink: string | null = null,
): Promise<SecondStep | null> {
  const account = { kind, id: row.id };
  const factors = await findFactors(context.db, account);
  if (factors.length === 0 && !(await isFactorRequired(context, kind))) return null;
  const isMailed = factors.length === 0;
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const now = context.clock.now();
  const challenge = await inTransaction(context.db, async (tx) => {
    if (isMailed) {
      const from = (await isOwnPlace(tx, account, browser.place, now)) ? 'owner' : 'stranger';
      if (!(await mayMail(context, tx, row.email, from)))
        throw new AppError('too_many_attempts', { retryAfter: 3600 });
      await mailFactorCode(context, tx, { ...row, kind, accountId: row.id }, code);
    }
    return createChallenge(
      tx.trx,
      context.vault,
      {
        purpose: 'sign_in',
        account,
        binding: bindingOf(row),
        codeMac: isMailed ? mailCodeMac(context, row.id, code) : null,
        oidcLink,
      },
      now,
    );
  });
  if (isMailed) await context.mails.settled();
  const passkey = await passkeyOptions(context, factors, challenge);
  const known = await proofMethodsOf(context.db, account);
  return {
    step: 'second_factor',
    methods: isMailed ? ['mail'] : known.filter((method) => method !== 'password' && method !== 'oidc'),
    challenge,
    ...(passkey === undefined ? {} : { passkey }),
  };
}

/**
 * How a session was opened without a password: by the identity provider (decision 046), by a passkey alone, or by the mailed
 * link in the browser that registered (decision 024).
 */
export interface Opening {
  readonly by: 'oidc' | 'passkey' | 'link';
  /** If it differs from others. Milliseconds. */
  readonly lifetimeMs?: number;
  /** If it was not just now. Milliseconds since 1970. */
  readonly provedAt?: number;
}

/** A session that was opened, and whose it is. */
export interface SignedIn {
  readonly token: string;
  readonly kind: AccountKind;
  readonly accountId: string;
  readonly factor: SessionFactor;
}

/** Opens the session of a sign-in, in its transaction. */
export type OpenSession = (
  tx: Tx,
  kind: AccountKind,
  account: AccountRow,
  from: From,
  factor: SessionFactor,
  opening?: Opening,
) => Promise<string>;

/**
 * Finishes a sign-in. Throws `invalid_credentials` if the challenge is unknown, has expired, has no tries left or belongs
 * to an older password; `wrong_code`, after counting it; `too_many_attempts`; `account_blocked`; `oidc_no_access`.
 */
export async function finishSignIn(
  context: Context,
  answer: SecondStepBody,
  from: From,
  openSession: OpenSession,
): Promise<SignedIn> {
  const now = context.clock.now();
  const challenge = await tryChallenge(context.db, context.vault, answer.challenge, 'sign_in', now);
  if (!challenge) throw new AppError('invalid_credentials');
  const account = { kind: challenge.account_kind, id: challenge.account_id };
  return inFactorTurn(context, account, async () => {
    const factor = challenge.code_mac === null ? 'second' : 'mail';
    const token = await inTransaction(context.db, async (tx) => {
      const row = await lockAccount(tx.trx, account);
      if (!row || bindingOf(row) !== challenge.binding) throw new AppError('invalid_credentials');
      if (!(await isRight(context, tx, challenge, answer))) return null;
      if (!(await useChallenge(tx.trx, challenge.challenge_hash))) throw new AppError('invalid_credentials');
      const opening = await settleOidc(context, tx, challenge, row, from);
      return openSession(tx, account.kind, row, from, factor, opening);
    });
    if (token !== null) return { token, kind: account.kind, accountId: account.id, factor };
    await refuse(context, account, from);
    throw new AppError('wrong_code');
  });
}

/** After the first step at the identity provider: the link counts from now on. Throws `oidc_no_access` if it is gone. */
async function settleOidc(
  context: Context,
  tx: Tx,
  { oidc_link: linkId }: ChallengeRow,
  row: AccountRow,
  { origin }: From,
): Promise<Opening | undefined> {
  if (linkId === null) return undefined;
  const link = await findLinkById(tx.trx, linkId);
  if (!link || link.ended_at !== null || !('password_set_by' in row)) throw new AppError('oidc_no_access');
  if (link.confirmed_at === null) await confirmLink(context, tx, link, row, origin);
  await updateLink(tx.trx, link.id, { used_at: context.clock.now(), used_factor: 0 });
  return { by: 'oidc', lifetimeMs: OIDC_SESSION_MS };
}

async function isRight(
  context: Context,
  tx: Tx,
  challenge: ChallengeRow,
  answer: SecondStepBody,
): Promise<boolean> {
  const { account_kind: kind, account_id: id } = challenge;
  if (challenge.code_mac === null) return acceptsAnswer(context, tx, { kind, id }, answer, answer.challenge);
  // Somebody else has set up a factor since the code was mailed: it is asked for now.
  if ((await findFactors(tx.trx, { kind, id })).length > 0) return false;
  return answer.mailCode !== undefined && mailCodeMac(context, id, answer.mailCode) === challenge.code_mac;
}

/** Counts a wrong answer like a wrong password, and appends it to the audit log. */
async function refuse(
  context: Context,
  account: { readonly kind: AccountKind; readonly id: string },
  { origin, browser }: From,
): Promise<void> {
  const row = await findAccount(context.db, account);
  if (!row) return;
  const { kind, id } = account;
  const asked = { kind, email: row.email, accountId: id, place: browser.place };
  const budget = await budgetOf(context, asked);
  await inTransaction(context.db, async (tx) => {
    await countFailure(context, tx, budget);
    await countWrongAnswer(context, tx, account);
    await context.audit.append(tx, {
      actor: null,
      origin,
      action: `${kind}.sign_in_failed`,
      subject: { kind, id },
      details: { reason: 'wrong_code' },
    });
  });
}
