/** Mails the owner about changes of the account, so that the owner notices changes made by somebody else. */
import type { Context } from '../context.ts';
import { findParent } from '../db/parents.ts';
import type { Tx } from '../db/transaction.ts';
import { describeChanges, type FamilyChange } from '../mail/account-texts.ts';
import { composeMail } from '../mail/templates.ts';
import { mayMail } from './limits.ts';

/** Enqueues the mail in this transaction. Does nothing without changes, or beyond the hourly limit. */
export async function mailChanges(
  context: Context,
  tx: Tx,
  parentId: string,
  changes: readonly FamilyChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const parent = await findParent(tx.trx, parentId);
  if (!parent || !(await mayMail(context, tx, parentId))) return;
  const { language, name, email } = parent;
  const link = `${context.publicUrl()}/forgot-password`;
  const content = composeMail('details_change', language, name, link, describeChanges(language, changes));
  await context.mails.enqueue(tx, { to: email, ...content });
}
