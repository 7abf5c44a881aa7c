/**
 * Changes of a parent's e-mail (contract §6). Whoever has the new mailbox can set a password and see the children. So the
 * change of a verified account with children by staff waits until somebody besides that staff member has agreed: the parent by
 * a code or at the old address, a colleague, or nobody for three days.
 */
import { EMAIL_CHANGE_WAIT_MS } from '@haris/contract/constants';
import type { Language } from '@haris/contract/fields';
import type { Actor, Origin } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { endOneTimeTokens, useOneTimeToken } from '../../db/one-time-tokens.ts';
import { findParentByEmail, lockParent, updateParentRow } from '../../db/parents.ts';
import type { ParentRow } from '../../db/schema.ts';
import { findStaffMember } from '../../db/staff.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { endQuestions, recordEndedQuestions } from '../../guardian-ends.ts';
import { requireProof } from '../../http/proof.ts';
import { mailEmailAgreement, mailEmailChange, mailLink } from '../../mail/account-mails.ts';
import { requireRightsOverFamily } from '../../staff-rights.ts';
import { cancelEmailChange, hasChildren, replacePassword } from '../../vouching.ts';
import { countEmailChange } from './limits.ts';
import { useCode } from './vouching.ts';

/** What a requested address has led to: nothing, a link mailed to it, or a wait for somebody's agreement. */
export type EmailOutcome = 'none' | 'link' | 'waits';

/** Who agreed to a change by staff. */
type Agreement = 'code' | 'old_address' | 'colleague' | 'time';

export interface EmailRequest {
  /** Undefined: the request has no address. */
  readonly asked: string | undefined;
  /** Code of the parent at the desk; its attempt has been counted. */
  readonly code: string | undefined;
  /** Of the account after the change, for the mails. */
  readonly name: string;
  readonly language: Language;
}

/** Returns the address in force, and what becomes of a new one. Throws `email_taken`, `beyond_own_rights`, `wrong_code`. */
export async function changeEmail(
  context: Context,
  tx: Tx,
  actor: Actor,
  row: ParentRow,
  { asked, code, ...texts }: EmailRequest,
): Promise<{ email: string; outcome: EmailOutcome }> {
  const { id, email } = row;
  // Entering the address in force cancels a pending change.
  if (asked === email && row.pending_email !== null) await cancelEmailChange(tx, id);
  if (asked === undefined || asked === email) return { email, outcome: 'none' };
  // The holder of the new address can sign in, and then sees the children at every facility.
  if (actor.kind === 'admin') await requireRightsOverFamily(tx.trx, actor, id, 'families.edit');
  if (actor.kind === 'parent') await countEmailChange(context, tx, id, asked);
  if (await findParentByEmail(tx.trx, asked)) throw new AppError('email_taken');
  await endOneTimeTokens(tx.trx, 'parent', id, ['verify', 'email_change', 'start']);
  const parent = { ...row, ...texts };
  if (row.email_verified === 0) {
    await correct(context, tx, actor, { ...parent, email: asked });
    return { email: asked, outcome: 'link' };
  }
  const needsAgreement = actor.kind === 'admin' && (await hasChildren(tx, id));
  if (needsAgreement && code !== undefined) {
    await useCode(context, tx, id, code);
    await recordAgreement(context, tx, actor, id, 'code');
  }
  const waits = needsAgreement && code === undefined;
  await updateParentRow(tx.trx, id, {
    pending_email: asked,
    pending_email_by: waits ? actor.id : null,
    pending_email_at: context.clock.now(),
  });
  if (waits) await mailEmailAgreement(context, tx, recipientOf(parent), asked);
  else await mailNewAddress(context, tx, { ...parent, pending_email: asked });
  return { email, outcome: waits ? 'waits' : 'link' };
}

function recipientOf({ id: accountId, name, email, language }: ParentRow) {
  return { kind: 'parent' as const, accountId, name, email, language };
}

/** Mails the link to the pending address, and tells the one in force. */
async function mailNewAddress(context: Context, tx: Tx, parent: ParentRow): Promise<void> {
  const recipient = recipientOf(parent);
  const email = parent.pending_email ?? parent.email;
  await mailEmailChange(context, tx, recipient, email);
  await mailLink(context, tx, 'verify', { ...recipient, email });
}

/**
 * Ends what the holder of an address has that was never verified, with the questions to it, and mails the right one. The caller writes
 * `email`.
 */
async function correct(context: Context, tx: Tx, actor: Actor, parent: ParentRow): Promise<void> {
  const { id, password_hash: hash, password_proof: proof } = parent;
  const questions = await endQuestions(context, tx, id);
  await endOneTimeTokens(tx.trx, 'parent', id, ['reset', 'invitation']);
  if (hash !== null && proof !== 'staff') {
    // The proof was of the mistyped address. Without children, the password stays, unproven.
    await updateParentRow(tx.trx, id, { password_proof: null });
    if (await hasChildren(tx, id)) {
      await replacePassword(context, tx, actor, parent, 'email_changed');
      return recordEndedQuestions(context, tx, actor, questions);
    }
  }
  await mailLink(context, tx, hash === null ? 'invitation' : 'verify', recipientOf(parent));
  await recordEndedQuestions(context, tx, actor, questions);
}

/** A pending address that waits for an agreement: who asked for it, and when that person may send the link alone. */
function waitingChange(parent: ParentRow): { readonly askedBy: string; readonly until: number } | null {
  const { pending_email: email, pending_email_by: askedBy, pending_email_at: at } = parent;
  return email === null || askedBy === null ? null : { askedBy, until: Number(at) + EMAIL_CHANGE_WAIT_MS };
}

/** The waiting change as staff see it. */
export function presentWaitingChange(
  parent: ParentRow,
  actor: Actor,
): { until: string; askedByMe: boolean } | null {
  const waiting = waitingChange(parent);
  return waiting && { until: toMoment(waiting.until), askedByMe: waiting.askedBy === actor.id };
}

/**
 * A staff member agrees to a waiting change; the caller mails the link. Somebody else than who asked may at once, who asked
 * after three days. Throws `proof_required`, `beyond_own_rights`, `password_not_own`, `email_change_waits`.
 */
export async function agreeByStaff(context: Context, tx: Tx, actor: Actor, parent: ParentRow): Promise<void> {
  const waiting = waitingChange(parent);
  if (waiting === null) return;
  const { trx } = tx;
  await requireProof(context, actor, trx);
  await requireRightsOverFamily(trx, actor, parent.id, 'families.edit');
  const isOver = context.clock.now() >= waiting.until;
  if (!isOver) {
    if (waiting.askedBy === actor.id) throw new AppError('email_change_waits');
    const asker = await findStaffMember(trx, waiting.askedBy);
    // One person may know both passwords.
    if (actor.passwordSetBy !== null || asker?.password_set_by === actor.id)
      throw new AppError('password_not_own');
  }
  await mailEmailChange(context, tx, recipientOf(parent), parent.pending_email ?? '');
  await agree(context, tx, actor, parent.id, isOver ? 'time' : 'colleague');
}

async function agree(
  context: Context,
  tx: Tx,
  actor: Actor | null,
  id: string,
  by: Agreement,
  origin?: Origin,
): Promise<void> {
  await updateParentRow(tx.trx, id, { pending_email_by: null });
  await endOneTimeTokens(tx.trx, 'parent', id, ['email_change']);
  await recordAgreement(context, tx, actor, id, by, origin);
  await context.events.append(tx, { type: 'parent.updated', parentId: id });
}

function recordAgreement(
  context: Context,
  tx: Tx,
  actor: Actor | null,
  id: string,
  by: Agreement,
  origin?: Origin,
) {
  return context.audit.append(tx, {
    actor,
    ...(origin ? { origin } : {}),
    action: 'parent.email_change_agreed',
    subject: { kind: 'parent', id },
    details: { by },
  });
}

/** Answers the mail at the old address: mails the link to the new one, or drops the change. Throws `invalid_token`. */
export async function answerEmailChange(
  context: Context,
  token: string,
  isAgreed: boolean,
  origin: Origin,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const used = await useOneTimeToken(tx.trx, context.vault, token, ['email_change'], context.clock.now());
    const parent = used?.kind === 'parent' ? await lockParent(tx.trx, used.accountId) : undefined;
    if (!parent || parent.email !== used?.email || waitingChange(parent) === null)
      throw new AppError('invalid_token');
    const { id } = parent;
    if (isAgreed) {
      await agree(context, tx, null, id, 'old_address', origin);
      const email = parent.pending_email ?? '';
      return mailLink(context, tx, 'verify', { ...recipientOf(parent), email });
    }
    await cancelEmailChange(tx, id);
    await context.audit.append(tx, {
      actor: null,
      origin,
      action: 'parent.email_change_refused',
      subject: { kind: 'parent', id },
    });
    await context.events.append(tx, { type: 'parent.updated', parentId: id });
  });
  await context.mails.settled();
}
