/** Rows of mails that wait to be sent or were given up. */
import type { Kysely, Selectable, Transaction } from 'kysely';
import { claimRow, updateClaimedRow } from './queue-rows.ts';
import type { Database } from './schema.ts';

export type MailRow = Selectable<Database['mails']>;

export async function addMail(
  trx: Transaction<Database>,
  mail: Pick<MailRow, 'id' | 'sealed' | 'created_at' | 'next_try_at'>,
): Promise<void> {
  await trx
    .insertInto('mails')
    .values({ ...mail, attempts: 0, failed_at: null })
    .execute();
}

/** Claims the next due mail until `until`. Undefined: none is due; null: another server was quicker. */
export async function claimMail(
  db: Kysely<Database>,
  now: number,
  until: number,
): Promise<MailRow | undefined | null> {
  const due = await db
    .selectFrom('mails')
    .selectAll()
    .where('next_try_at', '<=', now)
    .where('failed_at', 'is', null)
    .orderBy('next_try_at')
    .limit(1)
    .executeTakeFirst();
  return due && claimRow(db, 'mails', { id: due.id }, due, until);
}

/** Deletes a mail that was sent. */
export async function deleteMail(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('mails').where('id', '=', id).execute();
}

/** Schedules the next attempt of a claimed mail. */
export function retryMail(db: Kysely<Database>, mail: MailRow, at: number): Promise<void> {
  return updateClaimedRow(db, 'mails', { id: mail.id }, mail, { next_try_at: at });
}

/** Gives up a claimed mail. */
export function failMail(db: Kysely<Database>, mail: MailRow, now: number): Promise<void> {
  return updateClaimedRow(db, 'mails', { id: mail.id }, mail, { failed_at: now });
}

/** How many mails wait, how many of those were tried in vain, and how many were given up. */
export async function countMails(
  db: Kysely<Database>,
): Promise<{ waiting: number; tried: number; failed: number }> {
  const rows = await db.selectFrom('mails').select(['attempts', 'failed_at']).execute();
  const waiting = rows.filter(({ failed_at }) => failed_at === null);
  return {
    waiting: waiting.length,
    // The first attempt may be going on.
    tried: waiting.filter(({ attempts }) => attempts > 1).length,
    failed: rows.length - waiting.length,
  };
}

/** Deletes mails that were given up before a moment. Milliseconds since 1970. */
export async function deleteFailedMailsBefore(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('mails').where('failed_at', '<', before).execute();
}
