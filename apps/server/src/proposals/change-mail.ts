/** Mails the owner about changes of the account, so that the owner notices changes made by somebody else. */
import type { Context } from '../context.ts';
import {
  findHeldChanges,
  findParentsWithHeldChanges,
  holdChanges,
  takeHeldChanges,
} from '../db/held-changes.ts';
import { findParent } from '../db/parents.ts';
import type { FamilyChange } from '../db/schema/people.ts';
import { countHit } from '../db/throttle.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { describeChanges } from '../mail/account-texts.ts';
import { composeMail } from '../mail/templates.ts';
import { findRoomForMail } from './limits.ts';

/**
 * Tells the account's address of changes: enqueues a mail in this transaction, with the changes that were held back
 * before. Beyond the hourly limits, holds the changes back for the next mail. Does nothing without changes.
 */
export async function mailChanges(
  context: Context,
  tx: Tx,
  parentId: string,
  changes: readonly FamilyChange[],
): Promise<void> {
  if (changes.length > 0) await tell(context, tx, parentId, changes);
}

/** Mails what was held back, to each account whose limits have room again. */
export async function mailHeldChanges(context: Context): Promise<void> {
  for (const id of await findParentsWithHeldChanges(context.db))
    await inTransaction(context.db, (tx) => tell(context, tx, id, []));
}

async function tell(
  context: Context,
  tx: Tx,
  parentId: string,
  changes: readonly FamilyChange[],
): Promise<void> {
  const parent = await findParent(tx.trx, parentId);
  if (!parent) return;
  const { language, name, email } = parent;
  const fresh = changes.map((change) => ({ parent_id: parentId, email, change }));
  const waiting = [...(await findHeldChanges(tx.trx, parentId)), ...fresh];
  const room = await findRoomForMail(
    context,
    tx,
    parentId,
    waiting.map(({ change }) => change),
  );
  if (room.length === 0) {
    await holdChanges(tx.trx, fresh);
    return;
  }
  const all = [...(await takeHeldChanges(tx.trx, parentId)), ...fresh];
  if (all.length === 0) return;
  await countHit(tx.trx, room, context.clock.now());
  const link = `${context.publicUrl()}/forgot-password`;
  // A change goes to the address of its time: who has taken the account over since must not get the warning instead.
  for (const [to, rows] of Map.groupBy(all, (row) => row.email)) {
    const fields = [...new Set(rows.map(({ change }) => change))];
    const content = composeMail('details_change', language, name, link, describeChanges(language, fields));
    await context.mails.enqueue(tx, { to, ...content });
  }
}
