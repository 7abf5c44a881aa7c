/** Signing in and out, with throttling; what it answers tells a stranger nothing about who has an account. */
import { MAIL_INTERVAL_MS, SESSIONS_PER_ACCOUNT } from '@haris/contract/constants';
import type { AccountKind } from '@haris/contract/roles';
import type { Actor, Origin } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findAdminByEmail, takeAdmin } from '../../db/admins.ts';
import { type Place, rememberPlace } from '../../db/known-places.ts';
import { findNewestTokenTime } from '../../db/one-time-tokens.ts';
import { findParentByEmail, takeParent } from '../../db/parents.ts';
import type { AdminRow, ParentRow } from '../../db/schema.ts';
import { createSession, endOldestSessions, endSession } from '../../db/sessions.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import type { Browser } from '../../http/device.ts';
import { mailLink } from '../../mail/account-mails.ts';
import { hasUnprovenPassword } from '../../vouching.ts';
import { countSignIn, countUnverified, mayMail } from './limits.ts';
import { passwordMatches } from './passwords.ts';
import { admitTry, budgetOf, countFailure } from './sign-in-limits.ts';
import { createTurns } from './turns.ts';

const takeTurn = createTurns();

/** Takes all turns, one within the other. */
function takeTurns<T>([key, ...others]: readonly string[], work: () => Promise<T>): Promise<T> {
  return key === undefined ? work() : takeTurn(key, () => takeTurns(others, work));
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export interface From {
  readonly origin: Origin;
  readonly browser: Browser;
}

type AccountRow = ParentRow | AdminRow;

function findByEmail(context: Context, kind: AccountKind, email: string): Promise<AccountRow | undefined> {
  return kind === 'parent' ? findParentByEmail(context.db, email) : findAdminByEmail(context.db, email);
}

/**
 * The account whose password this is, verified or not; `admit` is asked while all other tries of the same budget wait.
 * Throws `too_many_attempts`, and `invalid_credentials`: the same for an unknown e-mail and a wrong password, in the same
 * time.
 */
export async function checkCredentials(
  context: Context,
  kind: AccountKind,
  { email, password }: Credentials,
  { origin, browser }: From,
  admit: (row: AccountRow) => Promise<void>,
): Promise<AccountRow> {
  const accountId = (await findByEmail(context, kind, email))?.id ?? null;
  const budget = await budgetOf(context, { kind, email, accountId, place: browser.place });
  // Tries that are sent at once are checked one after the other.
  const found = await takeTurns(budget.turns, async () => {
    await admitTry(context, budget);
    const row = await findByEmail(context, kind, email);
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
 * Signs in; answers the new token and the account's id.
 * Throws what {@link checkCredentials} throws, `email_not_verified` (only after the right password; mails a fresh link, at
 * most one in 5 minutes), and `too_many_attempts` for too many right ones.
 */
export async function signIn(
  context: Context,
  kind: AccountKind,
  credentials: Credentials,
  from: From,
): Promise<{ token: string; accountId: string }> {
  const { clock } = context;
  const found = await checkCredentials(context, kind, credentials, from, (row) =>
    row.email_verified === 1 ? countSignIn(context, kind, row.id) : countUnverified(context, kind, row.id),
  );
  if (found.email_verified !== 1) {
    await mailFreshLink(context, kind, found, from.origin);
    throw new AppError('email_not_verified');
  }
  const token = await inTransaction(context.db, async (tx) => {
    const current = await (kind === 'parent' ? takeParent(tx.trx, found.id) : takeAdmin(tx.trx, found.id));
    // A new password was set while this one was checked: it opens nothing any more.
    if (!current || current.password_hash !== found.password_hash) throw new AppError('invalid_credentials');
    const made = await createSession(tx.trx, kind, found.id, clock.now());
    await endOldestSessions(tx.trx, kind, found.id, SESSIONS_PER_ACCOUNT);
    await noteProof(tx, kind, current, from.browser.place);
    await rememberPlace(tx.trx, { kind, id: found.id }, from.browser.known, clock.now());
    if (kind === 'admin')
      await context.audit.append(tx, {
        actor: {
          kind,
          id: found.id,
          name: found.name,
          session: '',
          provedAt: clock.now(),
          passwordSetBy: 'password_set_by' in found ? found.password_set_by : null,
          origin: from.origin,
        },
        action: 'admin.signed_in',
        subject: { kind: 'admin', id: found.id },
      });
    return made;
  });
  return { token, accountId: found.id };
}

/**
 * Whoever opened the mailed link knows the password too: one person has both, and the password counts as proven (contract
 * §6).
 */
async function noteProof(
  { trx }: Tx,
  kind: AccountKind,
  account: ParentRow | AdminRow,
  { device, network }: Place,
): Promise<void> {
  if (kind !== 'parent' || !('link_opened_by' in account)) return;
  const openedHere =
    account.link_opened_by === `device:${device}` || account.link_opened_by === `network:${network}`;
  if (openedHere && hasUnprovenPassword(account))
    await trx.updateTable('parents').set({ password_proof: 'link' }).where('id', '=', account.id).execute();
}

/** The right password of an account that is not verified: a fresh link, unless one was mailed within 5 minutes. */
async function mailFreshLink(
  context: Context,
  kind: AccountKind,
  { id, name, email, language }: AccountRow,
  origin: Origin,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const last = await findNewestTokenTime(tx.trx, kind, id, 'verify');
    const isDue = last === null || context.clock.now() - last >= MAIL_INTERVAL_MS;
    // A link that was mailed before goes on working.
    if (isDue && (await mayMail(context, tx, email, 'stranger')))
      await mailLink(context, tx, 'verify', { kind, accountId: id, name, email, language });
    await recordFailure(context, tx, kind, id, 'email_not_verified', origin);
  });
  await context.mails.settled();
}

/**
 * A failed sign-in is a row of the audit log: of the account, where there is one; never what was typed, which may be a
 * password. The limits bound how many there can be.
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
