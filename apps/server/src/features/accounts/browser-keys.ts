/**
 * The key of the browser that registered a parent. It alone opens nothing: it asks for the mail again and for a code for the
 * desk. Together with the mailed link it signs in, because the person who presents both has the mailbox and chose the password.
 */
import { MAIL_INTERVAL_MS, VERIFY_LINK_MS } from '@haris/contract/constants';
import type { Kysely } from 'kysely';
import type { Origin } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { isDisowned } from '../../db/accounts.ts';
import {
  createOneTimeToken,
  endOneTimeTokens,
  findNewestTokenTime,
  findOneTimeToken,
  keepOneTimeToken,
  type TokenSubject,
  useOneTimeToken,
} from '../../db/one-time-tokens.ts';
import { findParent, lockParent, updateParentRow } from '../../db/parents.ts';
import type { Database, ParentRow } from '../../db/schema.ts';
import { findFactorKinds } from '../../db/second-factors.ts';
import type { Tx } from '../../db/transaction.ts';
import { inTransaction } from '../../db/transaction.ts';
import { mailLink } from '../../mail/account-mails.ts';
import { mayMail } from '../../mail/mail-limits.ts';
import { hasUnprovenPassword } from '../../vouching.ts';
import type { From } from './from.ts';
import { countDeadKey, countLiveKey } from './limits.ts';
import { openSession } from './sign-in.ts';
import { inVerification, type Verification, verifyByLink } from './verification.ts';

/** Creates the key of a registration, valid for 24 h. It ends with the first sign-in, and with the password or address. */
export function createBrowserKey(
  context: Context,
  { trx }: Tx,
  parent: { readonly id: string; readonly email: string },
): Promise<string> {
  const subject = { kind: 'parent', accountId: parent.id, email: parent.email } as const;
  return createOneTimeToken(trx, context.vault, 'start', subject, context.clock.now(), VERIFY_LINK_MS);
}

/** The id of the account that the key belongs to; undefined if the key has ended or is of nobody. */
async function findKeyOwner(
  { vault, clock }: Context,
  db: Kysely<Database>,
  key: string,
): Promise<string | undefined> {
  const found = await findOneTimeToken(db, vault, key, ['start'], clock.now());
  if (!found || (await findParent(db, found.accountId))?.email !== found.email) return undefined;
  return found.accountId;
}

/** The id of the account that the key belongs to. Throws `invalid_token`. */
export async function findByBrowserKey(
  context: Context,
  key: string,
  db: Kysely<Database> = context.db,
): Promise<string> {
  const owner = await findKeyOwner(context, db, key);
  if (owner === undefined) throw new AppError('invalid_token');
  return owner;
}

/**
 * Whether the account of the key still waits to be confirmed. A key of nobody gets the answer of one that has ended, so that
 * it tells nothing. Throws `too_many_attempts`.
 */
export async function isWaitingByKey(context: Context, key: string, origin: Origin): Promise<boolean> {
  const owner = await findKeyOwner(context, context.db, key);
  await (owner === undefined ? countDeadKey(context, origin) : countLiveKey(context, owner));
  return owner !== undefined;
}

/** What the link does anywhere, and the session if the key fits. */
interface Started {
  readonly verified: Verification;
  readonly session: { readonly token: string; readonly accountId: string } | null;
}

/**
 * Opens the mailed link in the browser that registered: verifies the e-mail and signs in, in one transaction. With a key that
 * is dead or of another account it only verifies, as the link does anywhere. Throws the errors of `verifyEmail`.
 */
export function startByLink(
  context: Context,
  token: string,
  key: string,
  { openedBy, ...from }: From & { readonly openedBy: string },
): Promise<Started> {
  const opened = { origin: from.origin, openedBy };
  return inVerification(context, async (tx) => {
    const { done, link } = await verifyByLink(context, tx, 'parent', token, opened);
    return { verified: done, session: await openByKey(context, tx, link, key, from) };
  });
}

async function openByKey(
  context: Context,
  tx: Tx,
  link: TokenSubject,
  key: string,
  from: From,
): Promise<Started['session']> {
  const { trx } = tx;
  const { vault, clock } = context;
  const row = await lockParent(trx, link.accountId);
  const found = await findOneTimeToken(trx, vault, key, ['start'], clock.now());
  const isOfLink = found?.accountId === link.accountId && found.email === link.email;
  if (!row || !isOfLink || !(await mayStart(tx, row, link.email))) return null;
  if (!(await useOneTimeToken(trx, vault, key, ['start'], clock.now()))) return null;
  if (hasUnprovenPassword(row)) await updateParentRow(trx, row.id, { password_proof: 'link' });
  const session = await openSession(context, tx, 'parent', row, from, 'password', {
    by: 'link',
    // The password was typed at the registration, and not since.
    provedAt: row.created_at,
  });
  return { token: session, accountId: row.id };
}

/** Whether the account is still the one that was registered: nobody has shut it, moved it, or asks for more than a password. */
async function mayStart({ trx }: Tx, row: ParentRow, email: string): Promise<boolean> {
  return (
    row.email === email &&
    row.email_verified === 1 &&
    row.password_hash !== null &&
    row.blocked_at === null &&
    !isDisowned(row) &&
    (await findFactorKinds(trx, { kind: 'parent', id: row.id })).length === 0
  );
}

/**
 * Mails the link of a registration again; the older link ends. Link and key then work for another 24 h. Throws
 * `invalid_token`, `already_verified`, `too_many_attempts` less than 5 minutes after the last mail.
 */
export async function resendByKey(context: Context, key: string, origin: Origin): Promise<void> {
  const { vault, clock } = context;
  const accountId = await findByBrowserKey(context, key);
  await inTransaction(context.db, async (tx) => {
    const { trx } = tx;
    const row = await lockParent(trx, accountId);
    const now = clock.now();
    const found = await findOneTimeToken(trx, vault, key, ['start'], now);
    if (!row || !found || found.email !== row.email) throw new AppError('invalid_token');
    if (row.email_verified === 1) throw new AppError('already_verified');
    const last = await findNewestTokenTime(trx, 'parent', row.id, 'verify');
    const wait = last === null ? 0 : last + MAIL_INTERVAL_MS - now;
    if (wait > 0) throw new AppError('too_many_attempts', { retryAfter: Math.ceil(wait / 1000) });
    if (!(await mayMail(context, tx, row.email, 'stranger')))
      throw new AppError('too_many_attempts', { retryAfter: 3600 });
    const { name, email, language } = row;
    const subject = { kind: 'parent', accountId, email } as const;
    await mailLink(context, tx, 'verify', { ...subject, name, language });
    await endOneTimeTokens(trx, 'parent', accountId, ['start']);
    await keepOneTimeToken(trx, vault, key, 'start', subject, now, VERIFY_LINK_MS);
    await context.audit.append(tx, {
      actor: null,
      origin,
      action: 'parent.link_resent',
      subject: { kind: 'parent', id: accountId },
      details: { purpose: 'verify' },
    });
  });
  await context.mails.settled();
}
