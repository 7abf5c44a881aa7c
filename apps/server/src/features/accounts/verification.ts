/** Verification of an e-mail by a mailed link. */
import { VERIFY_LINK_MS } from '@haris/contract/constants';
import type { AccountKind } from '@haris/contract/roles';
import type { Origin } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { endKioskProofs, findPinTime } from '../../db/kiosk-proofs.ts';
import { isKnownOpener } from '../../db/known-places.ts';
import {
  endOneTimeTokens,
  findOneTimeToken,
  keepOneTimeToken,
  type TokenSubject,
  useOneTimeToken,
} from '../../db/one-time-tokens.ts';
import { findParent, lockParent, updateParentDetails, updateParentRow } from '../../db/parents.ts';
import type { ParentRow } from '../../db/schema.ts';
import { lockStaffMember, updateStaffRow } from '../../db/staff.ts';
import { inTransaction, isUniqueViolation, type Tx } from '../../db/transaction.ts';
import { endQuestions, recordEndedQuestions } from '../../guardian-ends.ts';
import { emitWithdrawn, withdrawFamily } from '../../kiosk-requests.ts';
import { mailPin } from '../../mail/account-mails.ts';
import { hasChildren, replacePassword } from '../../vouching.ts';
import { moveStaffMember } from './staff-email.ts';

/** What a verification link did. */
export interface Verification {
  /** The account, if its parent registered it. */
  readonly account?: { readonly name: string; readonly registeredAt: string };
  /** The link was used before; this time it did nothing. */
  readonly alreadyVerified?: true;
}

/** What the page of the link tells a parent. */
export function verifiedMessage({ alreadyVerified }: Verification): string {
  return alreadyVerified ? 'Your email is already verified.' : 'Your email is verified. You can sign in now.';
}

/**
 * Verifies an e-mail with a mailed token; `openedBy` identifies the device or network that opened the link. A link of a
 * registration that was used before is answered without any effect while its recipient can still deny having registered.
 * Throws `invalid_token`; `email_taken` if another account has verified the address.
 */
export async function verifyEmail(
  context: Context,
  kind: AccountKind,
  token: string,
  opened: Opened,
): Promise<Verification> {
  return inVerification(context, async (tx) => (await verifyByLink(context, tx, kind, token, opened)).done);
}

/** From where a mailed link was opened. */
interface Opened {
  readonly origin: Origin;
  readonly openedBy: string;
}

/** A transaction for {@link verifyByLink}. Throws `email_taken` if another account has verified the address meanwhile. */
export async function inVerification<T>({ db }: Context, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await inTransaction(db, work);
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('email_taken') : error;
  }
}

/** Does what {@link verifyEmail} does, and also returns the account and address of the link. Throws `invalid_token`. */
export async function verifyByLink(
  context: Context,
  tx: Tx,
  kind: AccountKind,
  token: string,
  { origin, openedBy }: Opened,
): Promise<{ readonly done: Verification; readonly link: TokenSubject }> {
  const used = await useOneTimeToken(tx.trx, context.vault, token, ['verify'], context.clock.now());
  const before = used || kind === 'admin' ? undefined : await findVerified(context, tx, token);
  if (before) return before;
  if (!used || used.kind !== kind) throw new AppError('invalid_token');
  const done =
    kind === 'admin'
      ? await verifyStaffEmail(context, tx, used, openedBy)
      : await verifyParentEmail(context, tx, used, token, openedBy);
  await context.audit.append(tx, {
    actor: null,
    origin,
    action: `${kind}.email_verified`,
    subject: { kind, id: used.accountId },
  });
  if (kind === 'parent')
    await context.events.append(tx, { type: 'parent.updated', parentId: used.accountId });
  return { done, link: used };
}

/** Verifies the address that the account was made with, or a new one that staff entered. */
async function verifyStaffEmail(
  context: Context,
  tx: Tx,
  { accountId: id, email }: TokenSubject,
  openedBy: string,
): Promise<Verification> {
  const member = await lockStaffMember(tx.trx, id);
  if (!member) throw new AppError('invalid_token');
  if (member.email === email) await updateStaffRow(tx.trx, id, { email_verified: 1 });
  else await moveStaffMember(context, tx, member, email, openedBy);
  return {};
}

/** The account of a link that was used before, if its address still counts as verified. */
async function findVerified(
  context: Context,
  { trx }: Tx,
  token: string,
): Promise<{ done: Verification; link: TokenSubject } | undefined> {
  const link = await findOneTimeToken(trx, context.vault, token, ['disown'], context.clock.now());
  const parent = link?.kind === 'parent' ? await findParent(trx, link.accountId) : undefined;
  if (!link || parent?.email_verified !== 1 || parent.email !== link.email) return undefined;
  return { done: { account: describe(parent), alreadyVerified: true }, link };
}

function describe({ name, created_at: at }: ParentRow): NonNullable<Verification['account']> {
  return { name, registeredAt: toMoment(at) };
}

/** Verifies the address that the parent registered with, or a pending new address. */
async function verifyParentEmail(
  context: Context,
  tx: Tx,
  used: TokenSubject,
  token: string,
  openedBy: string,
): Promise<Verification> {
  const { accountId: id, email } = used;
  const { trx } = tx;
  const now = context.clock.now();
  const parent = await lockParent(trx, id);
  if (!parent) throw new AppError('invalid_token');
  const { name, phone } = parent;
  const verified = { email_verified: 1, link_opened_by: openedBy } as const;
  if (parent.pending_email === email) {
    // The address may belong to somebody else, or the old one may have. Mailbox and password belong to one person only if
    // the link was opened on a device or network where the account has signed in.
    const isKnown = await isKnownOpener(trx, { kind: 'parent', id }, openedBy, now);
    const proof = isKnown ? {} : { password_proof: null };
    await updateParentDetails(
      trx,
      id,
      { name, email, phone },
      { ...verified, pending_email: null, ...proof },
    );
    // Staff have asked whoever has the old address.
    const questions = await endQuestions(context, tx, id);
    if (!isKnown) {
      await endUnprovenPin(context, tx, { ...parent, email });
      // Whoever has the old mailbox or a session of before could go on seeing the children.
      if (await hasChildren(tx, id)) {
        await replacePassword(context, tx, null, { ...parent, email }, 'email_changed');
        await emitWithdrawn(context, tx, await withdrawFamily(context, tx, id));
      }
    }
    await recordEndedQuestions(context, tx, null, questions);
    return {};
  }
  if (parent.email !== email) throw new AppError('invalid_token');
  await updateParentRow(trx, id, verified);
  if (parent.made_by === 'staff') return {};
  // With the same link, the owner of the mailbox can still reject a registration made by somebody else.
  await endOneTimeTokens(trx, 'parent', id, ['disown']);
  await keepOneTimeToken(trx, context.vault, token, 'disown', used, now, VERIFY_LINK_MS);
  return { account: describe(parent) };
}

/** Ends a PIN that was set with a password which the owner of the new address may not know, and mails that address. */
async function endUnprovenPin(
  context: Context,
  tx: Tx,
  { id, name, email, language }: ParentRow,
): Promise<void> {
  if ((await findPinTime(tx.trx, id)) === null) return;
  await endKioskProofs(tx.trx, id);
  await mailPin(context, tx, { kind: 'parent', accountId: id, name, email, language }, 'kiosk_pin_removed');
  await context.audit.append(tx, {
    actor: null,
    action: 'parent.kiosk_pin_removed',
    subject: { kind: 'parent', id },
  });
}
