/**
 * Proof that a parent's password belongs to the owner of the e-mail (contract §6). A visitor can register with anybody's
 * address: until the password is proven to belong to the mailbox owner, it must not open data that staff put into the
 * account.
 */
import type { Actor } from './actor.ts';
import type { Context } from './context.ts';
import { endCollectorsOf } from './db/collectors.ts';
import { deleteDeskCode } from './db/desk-codes.ts';
import { hasChildRows } from './db/guardians/children-of.ts';
import { endKioskProofs } from './db/kiosk-proofs.ts';
import { forgetPlaces } from './db/known-places.ts';
import { changePurpose, endOneTimeTokens } from './db/one-time-tokens.ts';
import { clearPassword, findParent, lockParent, updateParentRow } from './db/parents.ts';
import type { ParentRow } from './db/schema.ts';
import { deleteFactorsOf } from './db/second-factors.ts';
import { endSessionsOf } from './db/session-ends.ts';
import type { Tx } from './db/transaction.ts';
import { acrossFacilities } from './facility.ts';
import { mailLink } from './mail/account-mails.ts';

/** Whether the account has a password that was never proven to belong to the mailbox owner. */
export function hasUnprovenPassword(parent: Pick<ParentRow, 'password_hash' | 'password_proof'>): boolean {
  return parent.password_hash !== null && parent.password_proof === null;
}

/**
 * Ends the password, the second factors, all sessions, the key of the browser that registered and the links to set a
 * password, its passes, and its collectors whom staff have not confirmed. Changes nothing else; the caller decides about the links to verify the address.
 */
export async function endPassword({ clock }: Context, { trx }: Tx, id: string): Promise<void> {
  await clearPassword(trx, id);
  // Somebody who only knew the password may have named friends.
  await acrossFacilities(() => endCollectorsOf(trx, { namedBy: id }, clock.now()));
  // A person who knew the password may have added them, and would lock the owner of the mailbox out.
  await deleteFactorsOf(trx, { kind: 'parent', id });
  await deleteDeskCode(trx, id);
  await endKioskProofs(trx, id);
  await endSessionsOf(trx, 'parent', id);
  await forgetPlaces(trx, { kind: 'parent', id });
  await endOneTimeTokens(trx, 'parent', id, ['reset', 'invitation', 'start']);
}

/**
 * The links that verify the address of an account whose password ended verify nothing any more. With those of a
 * registration, whoever has the mailbox can still deny having registered, until the links end.
 */
async function keepDisowning({ vault }: Context, { trx }: Tx, { id, made_by: by }: ParentRow): Promise<void> {
  if (by === 'staff') await endOneTimeTokens(trx, 'parent', id, ['verify', 'disown']);
  else await changePurpose(trx, vault, { kind: 'parent', accountId: id }, 'verify', 'disown');
}

/** Ends a new address that an account waits for, with its links. */
export async function cancelEmailChange({ trx }: Tx, id: string): Promise<void> {
  await endOneTimeTokens(trx, 'parent', id, ['verify', 'email_change']);
  await updateParentRow(trx, id, { pending_email: null });
}

/** Whether the account has children, at any facility, or was asked to become a guardian. */
export function hasChildren({ trx }: Tx, parentId: string): Promise<boolean> {
  return acrossFacilities(() => hasChildRows(trx, parentId));
}

/** Kinds of data that staff put into an account. */
type StaffEntry = 'child_added' | 'checked_in' | 'photo_changed' | 'details_changed' | 'guardian_asked';

/**
 * Ends the password, and mails the owner of the address a link to set a new one. `actor` is null for a mailed link. `facility`: id
 * of the one that writes; by default that of the family.
 */
export async function replacePassword(
  context: Context,
  tx: Tx,
  actor: Actor | null,
  parent: ParentRow,
  because: 'vouched' | 'email_changed' | StaffEntry,
  facility?: string,
): Promise<void> {
  const { id, email, language } = parent;
  await endPassword(context, tx, id);
  await keepDisowning(context, tx, parent);
  // Staff who add the first child do so in this transaction, after this.
  const isForChild = because === 'child_added' || (await hasChildren(tx, id));
  const ofFamily = isForChild ? 'password_ended' : 'password_ended_no_child';
  await mailLink(
    context,
    tx,
    'invitation',
    { kind: 'parent', accountId: id, name: null, email, language },
    { mail: because === 'guardian_asked' ? 'guardian_password_ended' : ofFamily, facility },
  );
  await context.audit.append(tx, {
    actor,
    action: 'parent.password_ended',
    subject: { kind: 'parent', id },
    details: { because },
  });
}

/**
 * Call it before staff put a child, its photo, its stay, or the parent's phone or photo into an account: ends a password that
 * was never proven, and mails a link to set a new one. Does nothing for changes by the parent.
 */
export async function endUnprovenPassword(
  context: Context,
  tx: Tx,
  actor: Actor,
  parentId: string,
  because: StaffEntry,
): Promise<void> {
  if (actor.kind !== 'admin') return;
  const seen = await findParent(tx.trx, parentId);
  if (!seen || !hasUnprovenPassword(seen)) return;
  const parent = await lockParent(tx.trx, parentId);
  if (parent && hasUnprovenPassword(parent)) await replacePassword(context, tx, actor, parent, because);
}
