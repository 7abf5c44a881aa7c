/** Signs people in and out, with rate limits. Responses do not reveal to strangers who has an account. */
import { MAIL_INTERVAL_MS, SESSIONS_PER_ACCOUNT } from '@haris/contract/constants';
import type { SecondStep, SecondStepBody } from '@haris/contract/http/factors';
import type { AccountKind } from '@haris/contract/roles';
import { createKeyedMutex } from '@haris/runtime/limiter';
import type { Actor, Origin } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { type AccountRow, findAccountByEmail, lockAccount } from '../../db/accounts.ts';
import { type Place, rememberPlace } from '../../db/known-places.ts';
import { hasEndedLink } from '../../db/oidc.ts';
import { endOneTimeTokens, findNewestTokenTime } from '../../db/one-time-tokens.ts';
import { updateParentRow } from '../../db/parents.ts';
import type { SessionFactor } from '../../db/schema.ts';
import { findFactorKinds } from '../../db/second-factors.ts';
import { endOldestSessions, endSession } from '../../db/session-ends.ts';
import { createSession } from '../../db/session-starts.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { mailLink } from '../../mail/account-mails.ts';
import { mayMail } from '../../mail/mail-limits.ts';
import { passwordMatches } from '../../vault/passwords.ts';
import { hasUnprovenPassword } from '../../vouching.ts';
import type { From } from './from.ts';
import { countSignIn, countUnverified } from './limits.ts';
import { notVerified } from './mail-answers.ts';
import { beginSecondStep, finishSignIn, isFactorRequiredNow, type Opening } from './second-step.ts';
import { admitTry, budgetOf, countFailure } from './sign-in-limits.ts';

const mutex = createKeyedMutex();

/** Runs `work` while it holds the mutexes of all keys. */
function withMutexes<T>([key, ...others]: readonly string[], work: () => Promise<T>): Promise<T> {
  return key === undefined ? work() : mutex(key, () => withMutexes(others, work));
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * Finds the account with these credentials, verified or not. While `admit` runs, all other attempts with the same budget
 * wait. Throws `too_many_attempts`; throws `invalid_credentials` after the same time for an unknown e-mail as for a wrong
 * password.
 */
export async function checkCredentials(
  context: Context,
  kind: AccountKind,
  { email, password }: Credentials,
  { origin, browser }: From,
  admit: (row: AccountRow) => Promise<void>,
): Promise<AccountRow> {
  const accountId = (await findAccountByEmail(context.db, kind, email))?.id ?? null;
  const budget = await budgetOf(context, { kind, email, accountId, place: browser.place });
  // Check simultaneous attempts one after the other.
  const found = await withMutexes(budget.turns, async () => {
    await admitTry(context, budget);
    const row = await findAccountByEmail(context.db, kind, email);
    const matches = await passwordMatches(row?.password_hash, password);
    if (row && matches) {
      await admit(row);
      return row;
    }
    await inTransaction(context.db, async (tx) => {
      await countFailure(context, tx, budget);
      await recordFailure(context, tx, kind, row?.id ?? null, 'invalid_credentials', origin);
    });
    return undefined;
  });
  if (!found) throw new AppError('invalid_credentials');
  return found;
}

/**
 * Signs in; returns the new bearer token and the account's id, or what a second step needs.
 * Throws the errors of {@link checkCredentials}; `email_not_verified` after a correct password (mails a new link, at most
 * one in 5 minutes); `account_blocked`; `oidc_no_access`; `too_many_attempts` after too many successful sign-ins.
 */
export async function signIn(
  context: Context,
  kind: AccountKind,
  credentials: Credentials,
  from: From,
): Promise<{ token: string; accountId: string } | SecondStep> {
  const found = await checkCredentials(context, kind, credentials, from, (row) =>
    row.email_verified === 1 ? countSignIn(context, kind, row.id) : countUnverified(context, kind, row.id),
  );
  if (found.email_verified !== 1) {
    await mailFreshLink(context, kind, found, from.origin);
    throw await notVerified(context, kind);
  }
  refuseBlocked(found);
  const step = await beginSecondStep(context, kind, found, from);
  if (step) return step;
  const token = await inTransaction(context.db, async (tx) => {
    const current = await lockAccount(tx.trx, { kind, id: found.id });
    // Another password was set while this one was checked.
    if (!current || current.password_hash !== found.password_hash) throw new AppError('invalid_credentials');
    // A second factor was added, or became required, meanwhile.
    if (
      (await findFactorKinds(tx.trx, { kind, id: found.id })).length > 0 ||
      (await isFactorRequiredNow(context, tx, kind))
    )
      throw new AppError('invalid_credentials');
    return openSession(context, tx, kind, current, from, 'password');
  });
  return { token, accountId: found.id };
}

/** Second step of {@link signIn}. Throws the errors of `finishSignIn`. */
export function signInBySecondStep(
  context: Context,
  answer: SecondStepBody,
  from: From,
): ReturnType<typeof finishSignIn> {
  return finishSignIn(context, answer, from, (...session) => openSession(context, ...session));
}

/** Throws `account_blocked`. */
export function refuseBlocked(account: AccountRow): void {
  if ('blocked_at' in account && account.blocked_at !== null) throw new AppError('account_blocked');
}

/**
 * Opens a session in the transaction that locked the account, and returns its token. Throws `account_blocked`;
 * `oidc_no_access` if the organisation has ended the staff member's access.
 */
export async function openSession(
  context: Context,
  tx: Tx,
  kind: AccountKind,
  account: AccountRow,
  { origin, browser }: From,
  factor: SessionFactor,
  opening?: Opening,
): Promise<string> {
  const { id, name } = account;
  refuseBlocked(account);
  if (kind === 'admin' && (await hasEndedLink(tx.trx, id))) throw new AppError('oidc_no_access');
  const now = context.clock.now();
  const { by, ...terms }: Partial<Opening> = opening ?? {};
  const start = { factor, agent: browser.agent, address: origin.address, ...terms };
  const token = await createSession(tx.trx, context.vault, kind, id, now, start);
  await endOldestSessions(tx.trx, kind, id, { kept: SESSIONS_PER_ACCOUNT, at: now });
  // A sign-in with a passkey alone proves nothing about the password.
  if (by !== 'passkey') await noteProof(tx, kind, account, browser.place);
  // The browser that registered has one sign-in without a password at most, and only as the first.
  if (kind === 'parent') await endOneTimeTokens(tx.trx, kind, id, ['start']);
  await rememberPlace(tx.trx, { kind, id }, browser.known, now);
  if (kind === 'admin')
    await context.audit.append(tx, {
      actor: {
        kind,
        id,
        facility: null,
        permissions: new Set(),
        everywhere: new Set(),
        name,
        session: '',
        provedAt: terms.provedAt ?? now,
        factor,
        deskId: null,
        passwordSetBy: 'password_set_by' in account ? account.password_set_by : null,
        origin,
      },
      action: 'admin.signed_in',
      subject: { kind: 'admin', id },
      ...(factor === 'password' && !by
        ? {}
        : { details: { ...(factor === 'password' ? {} : { factor }), ...(by ? { by } : {}) } }),
    });
  return token;
}

/**
 * Marks the password as proven (contract §6) if the verification link was opened on this device or network, because one
 * person then has both the mailbox and the password.
 */
async function noteProof(
  { trx }: Tx,
  kind: AccountKind,
  account: AccountRow,
  { device, network }: Place,
): Promise<void> {
  if (kind !== 'parent' || !('link_opened_by' in account)) return;
  const openedHere =
    account.link_opened_by === `device:${device}` || account.link_opened_by === `network:${network}`;
  if (openedHere && hasUnprovenPassword(account))
    await updateParentRow(trx, account.id, { password_proof: 'link' });
}

/** Mails a new link to an unverified account whose password or passkey was right; at most one in 5 minutes. */
export async function mailFreshLink(
  context: Context,
  kind: AccountKind,
  { id }: Pick<AccountRow, 'id'>,
  origin: Origin,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    // Staff may have corrected or verified the address meanwhile: a link to the one of before must not be the last one.
    const account = await lockAccount(tx.trx, { kind, id });
    const last = await findNewestTokenTime(tx.trx, kind, id, 'verify');
    const isDue = last === null || context.clock.now() - last >= MAIL_INTERVAL_MS;
    // An earlier link keeps working.
    if (account?.email_verified === 0 && isDue && (await mayMail(context, tx, account.email, 'stranger'))) {
      const { name, email, language } = account;
      await mailLink(context, tx, 'verify', { kind, accountId: id, name, email, language });
    }
    await recordFailure(context, tx, kind, account ? id : null, 'email_not_verified', origin);
  });
  await context.mails.settled();
}

/**
 * Appends a failed sign-in to the audit log, with the account if it exists, but without the typed e-mail, because somebody
 * may have typed a password there. The rate limits bound the number of rows.
 */
async function recordFailure(
  context: Context,
  tx: Tx,
  kind: AccountKind,
  accountId: string | null,
  reason: 'invalid_credentials' | 'email_not_verified',
  origin: Origin,
): Promise<void> {
  await context.audit.append(tx, {
    actor: null,
    origin,
    action: `${kind}.sign_in_failed`,
    ...(accountId === null ? {} : { subject: { kind, id: accountId } }),
    details: { reason },
  });
}

/** Ends the session of the call. */
export async function signOut(context: Context, actor: Actor): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await endSession(tx.trx, actor.session, context.clock.now());
    if (actor.kind === 'admin')
      await context.audit.append(tx, {
        actor,
        action: 'admin.signed_out',
        subject: { kind: 'admin', id: actor.id },
      });
  });
}
