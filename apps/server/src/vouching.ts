/**
 * Whose password opens a parent's account (contract §6). Who registers may type anybody's address: until the password is
 * proven to be that of the person behind the mailbox, it opens nothing that staff have put into the account.
 */
import type { Actor } from './actor.ts';
import type { Context } from './context.ts';
import { forgetPlaces } from './db/known-places.ts';
import { endOneTimeTokens } from './db/one-time-tokens.ts';
import { findParent, takeParent } from './db/parents.ts';
import type { ParentRow } from './db/schema.ts';
import { endSessionsOf } from './db/sessions.ts';
import type { Tx } from './db/transaction.ts';
import { mailLink } from './mail/account-mails.ts';

/** Whether the account has a password that nobody has proven to be of the person behind the mailbox. */
export function hasUnprovenPassword(parent: Pick<ParentRow, 'password_hash' | 'password_proof'>): boolean {
  return parent.password_hash !== null && parent.password_proof === null;
}

/** Ends the password, all sessions and all links of an account. Changes nothing else. */
export async function endPassword({ trx }: Tx, id: string): Promise<void> {
  await trx
    .updateTable('parents')
    .set({ password_hash: null, password_proof: null, link_opened_by: null, pending_email: null })
    .where('id', '=', id)
    .execute();
  await trx.deleteFrom('desk_codes').where('parent_id', '=', id).execute();
  await endSessionsOf(trx, 'parent', id);
  await forgetPlaces(trx, { kind: 'parent', id });
  await endOneTimeTokens(trx, 'parent', id, ['verify', 'reset', 'invitation', 'disown']);
}

/** What staff put into an account. */
type StaffEntry = 'child_added' | 'checked_in' | 'photo_changed' | 'details_changed';

/** Ends the password and mails the link with which the owner of the address sets a new one. */
export async function replacePassword(
  context: Context,
  tx: Tx,
  actor: Actor,
  parent: ParentRow,
  because: 'vouched' | StaffEntry,
): Promise<void> {
  const { id, email, language } = parent;
  await endPassword(tx, id);
  await mailLink(
    context,
    tx,
    'invitation',
    { kind: 'parent', accountId: id, name: null, email, language },
    { mail: 'password_ended' },
  );
  await context.audit.append(tx, {
    actor,
    action: 'parent.password_ended',
    subject: { kind: 'parent', id },
    details: { because },
  });
}

/**
 * Before staff put a child, its photo, its stay, or the guardian's phone or photo into an account: a password that nobody has proven ends, and a link to set
 * a new one is mailed. Does nothing for what parents do themselves.
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
  const parent = await takeParent(tx.trx, parentId);
  if (parent && hasUnprovenPassword(parent)) await replacePassword(context, tx, actor, parent, because);
}
