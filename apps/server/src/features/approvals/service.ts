/** Requests for the approval of a second person: who sees them, and who decides (decision 047). */
import { APPROVAL_MS } from '@haris/contract/constants';
import type { Approval, ApprovalAction } from '@haris/contract/http/approvals';
import { routes } from '@haris/contract/http/routes';
import type { Permission } from '@haris/contract/permissions';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { decideApprovalRow, findApproval, findWaitingApprovals } from '../../db/approvals.ts';
import type { ApprovalRow } from '../../db/schema.ts';
import { findStaffMember } from '../../db/staff.ts';
import { findNames } from '../../db/subject-names.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { approvalSubject } from '../../http/approval.ts';
import { mayCall } from '../../policy.ts';

/** The permission needed to decide: that of the call itself. */
function permissionOf(action: ApprovalAction): Permission {
  return action === 'secondPersonOff' ? 'security.manage' : routes[action].permission;
}

/** Whether the actor asked this, or may decide it. */
function concerns(actor: Actor, row: ApprovalRow): boolean {
  return row.asked_by === actor.id || mayCall(actor, permissionOf(row.action));
}

function stateOf(row: ApprovalRow, now: number): Approval['state'] {
  if (row.used_at !== null) return 'used';
  const since = row.state === 'waiting' ? row.asked_at : row.decided_at;
  const isOver = since !== null && now - since >= APPROVAL_MS;
  return isOver && (row.state === 'waiting' || row.state === 'approved') ? 'expired' : row.state;
}

async function present(context: Context, actor: Actor, rows: readonly ApprovalRow[]): Promise<Approval[]> {
  const { db, clock } = context;
  const names = await findNames(
    db,
    rows.flatMap((row) => [
      { kind: row.subject_kind, id: row.subject_id },
      { kind: 'admin', id: row.asked_by },
      { kind: 'admin', id: row.decided_by },
    ]),
  );
  const person = (kind: 'admin' | 'parent' | 'child', id: string) => ({
    _id: id,
    name: names.of({ kind, id })?.name ?? null,
  });
  return rows.map((row) => ({
    _id: row.id,
    action: row.action,
    subject:
      row.subject_kind !== null && row.subject_id !== null
        ? { kind: row.subject_kind, ...person(row.subject_kind, row.subject_id) }
        : null,
    query: Object.fromEntries(new URLSearchParams(row.target.slice(row.target.indexOf('?') + 1))),
    askedBy: person('admin', row.asked_by),
    askedAt: toMoment(row.asked_at),
    expiresAt: toMoment(row.asked_at + APPROVAL_MS),
    state: stateOf(row, clock.now()),
    decidedBy: row.decided_by === null ? null : person('admin', row.decided_by),
    isOwn: row.asked_by === actor.id,
  }));
}

/** Waiting requests by the actor, and those that the actor may decide. */
export async function listApprovals(context: Context, actor: Actor): Promise<Approval[]> {
  const waiting = await findWaitingApprovals(context.db, context.clock.now());
  return present(
    context,
    actor,
    waiting.filter((row) => concerns(actor, row)),
  );
}

/** Finds one that the actor asked or may decide. Throws 404. */
export async function findOwnOrDecidable(context: Context, actor: Actor, id: string): Promise<ApprovalRow> {
  const row = await findApproval(context.db, id);
  if (!row || !concerns(actor, row)) throw new AppError('not_found');
  return row;
}

/** One approval as the actor sees it. Throws 404. */
export async function getApproval(context: Context, actor: Actor, id: string): Promise<Approval> {
  const [approval] = await present(context, actor, [await findOwnOrDecidable(context, actor, id)]);
  return approval as Approval;
}

/**
 * Throws `password_not_own` if one person may know both passwords: a decision by an account whose password somebody else
 * set, or about the question of an account whose password the actor set.
 */
async function requireTwoPeople({ trx }: Tx, actor: Actor, row: ApprovalRow): Promise<void> {
  const asker = await findStaffMember(trx, row.asked_by);
  if (actor.passwordSetBy !== null || asker?.password_set_by === actor.id)
    throw new AppError('password_not_own');
}

/**
 * Approves, refuses or withdraws what waits. Only who asked withdraws, and only somebody else decides: otherwise throws
 * `forbidden`. Throws `password_not_own`, `approval_decided`.
 */
export async function decideApproval(
  context: Context,
  actor: Actor,
  row: ApprovalRow,
  state: 'approved' | 'refused' | 'withdrawn',
): Promise<Approval> {
  if ((row.asked_by === actor.id) !== (state === 'withdrawn')) throw new AppError('forbidden');
  // The body may have come long after the check before it.
  if (!concerns(actor, row)) throw new AppError('forbidden');
  await inTransaction(context.db, async (tx) => {
    if (state === 'approved') await requireTwoPeople(tx, actor, row);
    if (!(await decideApprovalRow(tx.trx, row.id, state, actor.id, context.clock.now())))
      throw new AppError('approval_decided');
    await context.audit.append(tx, {
      actor,
      action: `approval.${state}`,
      ...approvalSubject(row),
      details: { call: row.action, askedBy: row.asked_by },
    });
    await context.events.append(tx, { type: 'approval.changed' });
  });
  return getApproval(context, actor, row.id);
}
