/**
 * Corrections of a staff member's e-mail by staff (contract §6). Whoever has the new mailbox can set a password, so nobody
 * changes the address of somebody with more rights, and what the holder of the old mailbox may know ends.
 */
import { randomBytes } from 'node:crypto';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { forgetPlaces, isKnownOpener } from '../../db/known-places.ts';
import { endOneTimeTokens } from '../../db/one-time-tokens.ts';
import type { StaffRow } from '../../db/schema.ts';
import { endSessionsOf } from '../../db/session-ends.ts';
import {
  findStaffMember,
  findStaffMemberByEmail,
  lockAllStaff,
  updateStaffDetails,
  updateStaffRow,
} from '../../db/staff.ts';
import { endStaffPin } from '../../db/staff-pins.ts';
import { inTransaction, isUniqueViolation, type Tx } from '../../db/transaction.ts';
import { acrossFacilities } from '../../facility.ts';
import { mailEmailChange, mailEmailCorrection, mailLink } from '../../mail/account-mails.ts';
import { requireRightsOf } from '../../staff-rights.ts';
import { hashPassword } from '../../vault/passwords.ts';
import { endPendingStaffEmail } from './pending-staff-email.ts';

/** What became of an address: it is in force already, it is in force now, or its link has to be opened first. */
export type StaffEmailOutcome = 'none' | 'corrected' | 'waits';

/**
 * Corrects the e-mail of a staff member, and mails the new address a link. An address that was never verified is replaced at
 * once, because it may have been mistyped. Otherwise the new one counts once its link is opened, and the old one is told.
 * The address in force cancels a change that waits. Throws 404, `beyond_own_rights`, `email_taken`.
 */
export async function changeStaffEmail(
  context: Context,
  actor: Actor,
  id: string,
  asked: string,
): Promise<{ member: StaffRow; outcome: StaffEmailOutcome }> {
  const done = await inTransaction(context.db, (tx) => changeIn(context, tx, actor, id, asked)).catch(
    (error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('email_taken') : error;
    },
  );
  await context.mails.settled();
  return done;
}

async function changeIn(context: Context, tx: Tx, actor: Actor, id: string, asked: string) {
  const { trx } = tx;
  // The actor may have been deleted or demoted while this call waited; two corrections come one after the other.
  const staff = await lockAllStaff(trx, context.dialect);
  const member = await findStaffMember(trx, id);
  if (!member || !staff.includes(actor.id)) throw new AppError('not_found');
  await requireRightsOf(trx, actor, id);
  if (asked === member.email) {
    if (await endPendingStaffEmail(tx, id)) await record(context, tx, actor, id, 'cancelled');
    return { member, outcome: 'none' as const };
  }
  // An account of another facility has it too.
  if (await acrossFacilities(() => findStaffMemberByEmail(trx, asked))) throw new AppError('email_taken');
  await endOneTimeTokens(trx, 'admin', id, ['verify', 'reset', 'invitation']);
  const recipient = { kind: 'admin' as const, accountId: id, ...textsOf(member) };
  const outcome = member.email_verified === 1 ? ('waits' as const) : ('corrected' as const);
  if (outcome === 'waits') {
    // “Forgot password” mails nothing to whom only the identity provider signs in.
    const hasPassword = member.password_hash !== '' || context.config.oidc === null;
    await mailEmailChange(context, tx, recipient, asked, hasPassword);
  } else {
    await updateStaffDetails(trx, id, { name: member.name, email: asked });
    await mailEmailCorrection(context, tx, recipient);
  }
  await mailLink(context, tx, 'verify', { ...recipient, email: asked });
  await record(context, tx, actor, id, outcome);
  return { member: outcome === 'waits' ? member : { ...member, email: asked }, outcome };
}

function textsOf({ name, email, language }: StaffRow) {
  return { name, email, language };
}

async function record(context: Context, tx: Tx, actor: Actor, id: string, outcome: string): Promise<void> {
  await context.audit.append(tx, {
    actor,
    action: 'admin.email_changed',
    subject: { kind: 'admin', id },
    details: { outcome },
  });
  await context.events.append(tx, { type: 'admin.updated' });
}

/**
 * The link at a new address was opened: it is in force. Unless that happened where the account has signed in, password,
 * PIN and sessions end, and a link to set a password is mailed: the old address may have been a stranger's. Second factors
 * stay: a mailbox alone must not get around them. The caller has locked the member.
 */
export async function moveStaffMember(
  context: Context,
  tx: Tx,
  member: StaffRow,
  email: string,
  openedBy: string,
): Promise<void> {
  const { id, name } = member;
  const { trx } = tx;
  const account = { kind: 'admin', id } as const;
  const isKnown = await isKnownOpener(trx, account, openedBy, context.clock.now());
  await updateStaffDetails(trx, id, { name, email });
  await updateStaffRow(trx, id, { email_verified: 1 });
  await endOneTimeTokens(trx, 'admin', id, ['verify', 'reset', 'invitation']);
  await context.events.append(tx, { type: 'admin.updated' });
  if (isKnown) return;
  await endSessionsOf(trx, 'admin', id);
  await endStaffPin(trx, id);
  await forgetPlaces(trx, account);
  // Whom only the identity provider signs in has none.
  if (member.password_hash === '') return;
  // An empty hash would mean the identity provider, and “Forgot password” would mail no link.
  const nobodyKnows = await hashPassword(randomBytes(32).toString('base64url'));
  await updateStaffRow(trx, id, { password_hash: nobodyKnows, password_set_by: null });
  const recipient = { kind: 'admin' as const, accountId: id, ...textsOf(member), email };
  await mailLink(context, tx, 'reset', recipient, { mail: 'staff_password_ended' });
  await context.audit.append(tx, {
    actor: null,
    action: 'admin.password_ended',
    subject: account,
    details: { because: 'email_changed' },
  });
}
