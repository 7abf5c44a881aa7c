/** Signing in and out, with throttling; what it answers tells a stranger nothing about who has an account. */
import {
  LOGIN_FAILURES_PER_ACCOUNT,
  LOGIN_FAILURES_PER_ADDRESS,
  MAIL_INTERVAL_MS,
  THROTTLE_WINDOW_MS,
} from '@haris/contract/constants';
import type { AccountKind } from '@haris/contract/roles';
import type { Actor, Origin } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findAdminByEmail, takeAdmin } from '../../db/admins.ts';
import { findNewestTokenTime } from '../../db/one-time-tokens.ts';
import { findParentByEmail, takeParent } from '../../db/parents.ts';
import { createSession, endSession } from '../../db/sessions.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { networkOf } from '../../http/network.ts';
import { mailLink } from '../../mail/account-mails.ts';
import { passwordMatches } from './passwords.ts';
import { createTurns } from './turns.ts';

const takeTurn = createTurns();

/**
 * Signs in; answers the new token and the account's id.
 * Throws `too_many_attempts`, `invalid_credentials` (the same for an unknown e-mail and a wrong password, in the same
 * time), `email_not_verified` (only after the right password; mails a fresh link, at most one in 5 minutes).
 */
export async function signIn(
  context: Context,
  kind: AccountKind,
  credentials: { email: string; password: string },
  origin: Origin,
): Promise<{ token: string; accountId: string }> {
  const { db, clock, vault } = context;
  const address: Limit = {
    scope: 'login address',
    key: vault.mac('throttle', networkOf(origin.address)),
    most: LOGIN_FAILURES_PER_ADDRESS,
    windowMs: THROTTLE_WINDOW_MS,
  };
  const account: Limit = {
    scope: `login ${kind}`,
    key: vault.mac('throttle', credentials.email),
    most: LOGIN_FAILURES_PER_ACCOUNT,
    windowMs: THROTTLE_WINDOW_MS,
  };
  // Tries of one address, and for one account, take turns: a hundred sent at once are judged one after the other.
  const found = await takeTurn(`address ${address.key}`, () =>
    takeTurn(`${account.scope} ${account.key}`, async () => {
      const retryAfter = await secondsUntilRoom(db, [account, address], clock.now());
      if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
      const row =
        kind === 'parent'
          ? await findParentByEmail(db, credentials.email)
          : await findAdminByEmail(db, credentials.email);
      if (await passwordMatches(row?.password_hash, credentials.password)) return row;
      await inTransaction(db, async (tx) => {
        await countHit(tx.trx, [account, address], clock.now());
        await recordFailure(context, tx, kind, row?.id ?? null, 'invalid_credentials', origin);
      });
      return undefined;
    }),
  );
  if (!found) throw new AppError('invalid_credentials');
  if (found.email_verified !== 1) {
    await inTransaction(db, async (tx) => {
      const last = await findNewestTokenTime(tx.trx, kind, found.id, 'verify');
      if (last === null || clock.now() - last >= MAIL_INTERVAL_MS)
        await mailLink(context, tx, 'verify', {
          kind,
          accountId: found.id,
          name: found.name,
          email: found.email,
          language: found.language,
        });
      await recordFailure(context, tx, kind, found.id, 'email_not_verified', origin);
    });
    await context.mails.settled();
    throw new AppError('email_not_verified');
  }
  const token = await inTransaction(db, async (tx) => {
    const current = await (kind === 'parent' ? takeParent(tx.trx, found.id) : takeAdmin(tx.trx, found.id));
    // A new password was set while this one was checked: it opens nothing any more.
    if (!current || current.password_hash !== found.password_hash) throw new AppError('invalid_credentials');
    const made = await createSession(tx.trx, kind, found.id, clock.now());
    if (kind === 'admin')
      await context.audit.append(tx, {
        actor: { kind, id: found.id, name: found.name, session: '', provedAt: clock.now(), origin },
        action: 'admin.signed_in',
        subject: { kind: 'admin', id: found.id },
      });
    return made;
  });
  return { token, accountId: found.id };
}

/**
 * A failed sign-in is a row of the audit log: of the account, where there is one; never what was typed, which may be a
 * password. The throttle bounds how many there can be.
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

/** Ends the session that the call was made with. */
export async function signOut(context: Context, actor: Actor): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await endSession(tx.trx, actor.session);
    if (actor.kind === 'admin')
      await context.audit.append(tx, {
        actor,
        action: 'admin.signed_out',
        subject: { kind: 'admin', id: actor.id },
      });
  });
}
