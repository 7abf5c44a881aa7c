/**
 * Mails the owner about changes of the account, so that the owner notices changes made by somebody else, and about what
 * staff rejected of a child.
 */
import type { Context } from '../context.ts';
import {
  findHeldChanges,
  findParentsWithHeldChanges,
  holdChanges,
  takeHeldChanges,
} from '../db/held-changes.ts';
import { findParent } from '../db/parents.ts';
import type { FamilyChange, RejectedChange } from '../db/schema/people.ts';
import type { ParentRow } from '../db/schema.ts';
import { countHit } from '../db/throttle.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { describeChanges } from '../mail/account-texts.ts';
import { findMailFacility } from '../mail/facility-words.ts';
import { composeMail } from '../mail/templates.ts';
import { findRoomForMail } from './limits.ts';

/** The mails about changes: each has its own limits, and the page behind its button. */
const mails = [
  { kind: 'details_change', page: '/forgot-password' },
  { kind: 'details_rejected', page: '/profile' },
] as const;

const rejections: Record<RejectedChange, true> = {
  child_photo_rejected: true,
  child_name_rejected: true,
  child_birth_date_rejected: true,
  child_photos_rejected: true,
};

function mailOf(change: FamilyChange): (typeof mails)[number]['kind'] {
  return change in rejections ? 'details_rejected' : 'details_change';
}

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

/** Same for what staff rejected of a child. Does nothing if nobody has verified the address: it may be a stranger's. */
export async function mailRejection(
  context: Context,
  tx: Tx,
  parentId: string,
  rejected: readonly RejectedChange[],
): Promise<void> {
  const parent = await findParent(tx.trx, parentId);
  if (parent?.email_verified === 1) await mailChanges(context, tx, parentId, rejected);
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
  for (const mail of mails)
    await tellBy(
      context,
      tx,
      mail,
      parent,
      changes.filter((change) => mailOf(change) === mail.kind),
    );
}

async function tellBy(
  context: Context,
  tx: Tx,
  { kind, page }: (typeof mails)[number],
  parent: ParentRow,
  changes: readonly FamilyChange[],
): Promise<void> {
  const { id, language, name, email } = parent;
  const fresh = changes.map((change) => ({ parent_id: id, email, change }));
  const held = (await findHeldChanges(tx.trx, id)).filter(({ change }) => mailOf(change) === kind);
  const waiting = [...held, ...fresh].map(({ change }) => change);
  if (waiting.length === 0) return;
  const room = await findRoomForMail(context, tx, id, waiting);
  if (room.length === 0) {
    await holdChanges(tx.trx, fresh);
    return;
  }
  const all = [...(await takeHeldChanges(tx.trx, id, waiting)), ...fresh];
  if (all.length === 0) return;
  await countHit(tx.trx, room, context.clock.now());
  const link = `${context.publicUrl()}${page}`;
  const facility = await findMailFacility(tx.trx, { kind: 'parent', accountId: id });
  // A change goes to the address of its time: who has taken the account over since must not get the warning instead.
  for (const [to, rows] of Map.groupBy(all, (row) => row.email)) {
    const fields = [...new Set(rows.map(({ change }) => change))];
    const detail = describeChanges(language, fields);
    const content = composeMail(kind, { language, name, link, facility, detail });
    await context.mails.enqueue(tx, { to, ...content });
  }
}
