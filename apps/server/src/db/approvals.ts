/** Reads and writes requests for the approval of a second person (decision 047). */
import { APPROVAL_MS } from '@haris/contract/constants';
import type { Kysely, Transaction } from 'kysely';
import type { ApprovalRow, Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** How long a decided request is kept, so that the page waiting for it can read the decision. Milliseconds. */
const KEPT_MS = 24 * 3_600_000;

/** A call that somebody wants to make. */
export type ApprovalTarget = Pick<
  ApprovalRow,
  'action' | 'target' | 'subject_kind' | 'subject_id' | 'asked_by'
>;

export async function insertApproval(
  trx: Transaction<Database>,
  id: string,
  target: ApprovalTarget,
  now: number,
): Promise<void> {
  const empty = { decided_by: null, decided_at: null, used_at: null };
  await trx
    .insertInto('approvals')
    .values({ id, ...target, asked_at: now, state: 'waiting', ...empty })
    .execute();
}

export async function findApproval(db: Reader, id: string): Promise<ApprovalRow | undefined> {
  return db.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The questions that wait now, the oldest first; optionally those of one person. */
export async function findWaitingApprovals(
  db: Reader,
  now: number,
  askedBy?: string,
): Promise<ApprovalRow[]> {
  let waiting = db
    .selectFrom('approvals')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('asked_at', '>', now - APPROVAL_MS)
    // After the clock was set back, it would wait longer than allowed.
    .where('asked_at', '<=', now + APPROVAL_MS);
  if (askedBy !== undefined) waiting = waiting.where('asked_by', '=', askedBy);
  return waiting.orderBy('asked_at').orderBy('id').execute();
}

/** Decides or withdraws a waiting question. Returns false if it no longer waits. */
export async function decideApprovalRow(
  trx: Transaction<Database>,
  id: string,
  state: 'approved' | 'refused' | 'withdrawn',
  by: string,
  now: number,
): Promise<boolean> {
  const decided = await trx
    .updateTable('approvals')
    .set({ state, decided_by: by, decided_at: now })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('asked_at', '>', now - APPROVAL_MS)
    .returning('id')
    .executeTakeFirst();
  return decided !== undefined;
}

/** Uses up an approval for its call. Returns false if there is none, or another call has used it. */
export async function useApproval(
  db: Reader,
  id: string,
  { action, target, asked_by }: ApprovalTarget,
  now: number,
): Promise<boolean> {
  const used = await db
    .updateTable('approvals')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('action', '=', action)
    .where('target', '=', target)
    .where('asked_by', '=', asked_by)
    .where('state', '=', 'approved')
    .where('used_at', 'is', null)
    .where('decided_at', '>', now - APPROVAL_MS)
    .where('decided_at', '<=', now + APPROVAL_MS)
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

/** Gives an approval back after its call has failed. */
export async function returnApproval(db: Reader, id: string): Promise<void> {
  await db.updateTable('approvals').set({ used_at: null }).where('id', '=', id).execute();
}

/** Deletes requests that are too old for a page to be waiting for them. */
export async function deleteOldApprovals(db: Reader, now: number): Promise<void> {
  await db
    .deleteFrom('approvals')
    .where('asked_at', '<=', now - KEPT_MS)
    .execute();
}
