/** Staff help somebody whose e-mail is not verified: they mail a new link, or vouch for an employee's address. */
import { MAIL_INTERVAL_MS } from '@haris/contract/constants';
import type { AccountKind } from '@haris/contract/roles';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { type AccountRow, lockAccount } from '../../db/accounts.ts';
import { endOneTimeTokens, findNewestTokenTime } from '../../db/one-time-tokens.ts';
import { findParent } from '../../db/parents.ts';
import { lockStaffMember, updateStaffRow } from '../../db/staff.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { mailLink } from '../../mail/account-mails.ts';
import { mayMail } from '../../mail/mail-limits.ts';
import { requireRightsOf } from '../../staff-rights.ts';
import { agreeByStaff } from './email-changes.ts';

/** The link that an account lacks: its purpose, and the address that it is mailed to. */
interface WantedLink {
  readonly purpose: 'verify' | 'invitation';
  readonly email: string;
}

/** Null if the account waits for no link. */
async function wantedLink(tx: Tx, kind: AccountKind, row: AccountRow): Promise<WantedLink | null> {
  const pending = kind === 'parent' ? (await findParent(tx.trx, row.id))?.pending_email : null;
  if (pending) return { purpose: 'verify', email: pending };
  if (row.email_verified === 1) return null;
  // Staff made the account without a password: its first link sets one, and verifies the address too.
  return { purpose: row.password_hash === null ? 'invitation' : 'verify', email: row.email };
}

/**
 * Mails a new link, which invalidates the older one; to a new address that waits for an agreement, it is that agreement.
 * Throws 404, `already_verified`, `too_many_attempts` less than 5 minutes after the last one, and the errors of
 * {@link agreeByStaff}.
 */
export async function resendLink(
  context: Context,
  actor: Actor,
  kind: AccountKind,
  id: string,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const row = await lockAccount(tx.trx, { kind, id });
    if (!row) throw new AppError('not_found');
    const link = await wantedLink(tx, kind, row);
    if (link === null) throw new AppError('already_verified');
    const now = context.clock.now();
    const last = await findNewestTokenTime(tx.trx, kind, id, link.purpose);
    const wait = last === null ? 0 : last + MAIL_INTERVAL_MS - now;
    if (wait > 0) throw new AppError('too_many_attempts', { retryAfter: Math.ceil(wait / 1000) });
    if (!(await mayMail(context, tx, link.email, 'stranger')))
      throw new AppError('too_many_attempts', { retryAfter: 3600 });
    const parent = kind === 'parent' ? await findParent(tx.trx, id) : undefined;
    if (parent) await agreeByStaff(context, tx, actor, parent);
    const { name, language } = row;
    await mailLink(context, tx, link.purpose, { kind, accountId: id, name, email: link.email, language });
    await context.audit.append(tx, {
      actor,
      action: `${kind}.link_resent`,
      subject: { kind, id },
      details: { purpose: link.purpose },
    });
  });
  await context.mails.settled();
}

/**
 * Marks an employee's e-mail as verified; mailed links to verify it stop working. Throws 404, `beyond_own_rights`.
 */
export async function markStaffVerified(context: Context, actor: Actor, id: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    if (!(await lockStaffMember(tx.trx, id))) throw new AppError('not_found');
    await requireRightsOf(tx.trx, actor, id);
    await updateStaffRow(tx.trx, id, { email_verified: 1 });
    await endOneTimeTokens(tx.trx, 'admin', id, ['verify']);
    await context.audit.append(tx, {
      actor,
      action: 'admin.marked_verified',
      subject: { kind: 'admin', id },
    });
    await context.events.append(tx, { type: 'admin.updated' });
  });
}
