/** Asks a second person before a call, where the setting `secondPerson` is on (decision 047). */
import { randomUUID } from 'node:crypto';
import { APPROVAL_HEADER, APPROVALS_WAITING } from '@haris/contract/constants';
import { createAdminBodySchema } from '@haris/contract/http/accounts';
import { type ApprovalAction, approvalActionSchema } from '@haris/contract/http/approvals';
import type { Route } from '@haris/contract/http/route';
import { sheetRoutes } from '@haris/contract/http/sheets';
import { DEFAULT_ROLE_ID } from '@haris/contract/permissions';
import type { FastifyRequest } from 'fastify';
import type { Actor, DeskDevice, KioskDevice, Visitor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import {
  type ApprovalTarget,
  findWaitingApprovals,
  insertApproval,
  returnApproval,
  useApproval,
} from '../db/approvals.ts';
import { readSettings } from '../db/settings.ts';
import { lockStaffMember } from '../db/staff.ts';
import { inTransaction } from '../db/transaction.ts';

const SUBJECT_OF: Readonly<Partial<Record<ApprovalAction, 'admin' | 'parent' | 'child'>>> = {
  deleteAdmin: 'admin',
  changeStaffEmail: 'admin',
  deleteParent: 'parent',
  deleteChild: 'child',
};

/** The part of a body that an approval covers: the new employee or address, so that it lets nobody else in. */
function bodyOf(action: ApprovalAction, body: unknown): Record<string, string> {
  if (action === 'changeStaffEmail') return sheetRoutes.changeStaffEmail.body.parse(body);
  if (action !== 'createAdmin') return {};
  const { name, email, roleId = DEFAULT_ROLE_ID } = createAdminBodySchema.parse(body);
  return { name, email, roleId };
}

/** The call as an approval names it. The order of query parameters does not matter. */
function targetOf(route: Route, actor: Actor, request: FastifyRequest, body: unknown): ApprovalTarget {
  const action = approvalActionSchema.parse(route.id);
  const { id = null } = request.params as Readonly<Record<string, string>>;
  const query = new URLSearchParams({
    ...(request.query as Record<string, string>),
    ...bodyOf(action, body),
  });
  query.sort();
  const kind = SUBJECT_OF[action] ?? null;
  return {
    action,
    target: `${id ?? ''}?${query}`,
    subject_kind: kind,
    subject_id: kind === null ? null : id,
    asked_by: actor.id,
  };
}

/** The approval that a request names, if any. */
export function namedApproval(request: FastifyRequest): string | null {
  const named = request.headers[APPROVAL_HEADER];
  return typeof named === 'string' && /^[0-9a-f-]{36}$/.test(named) ? named : null;
}

/**
 * Runs a call that may need an approval, and uses the approval up; if the call fails, it counts again. Throws 403
 * `approval_required` with the id of the question that now waits.
 */
export async function withApproval<T>(
  context: Context,
  route: Route,
  actor: Actor | Visitor | KioskDevice | DeskDevice,
  { request, body }: { readonly request: FastifyRequest; readonly body: unknown },
  work: () => Promise<T>,
): Promise<T> {
  if (route.approval !== true || actor.kind !== 'admin') return work();
  if (!(await readSettings(context.db, context.config)).secondPerson) return work();
  const approval = await useOrAsk(
    context,
    actor,
    targetOf(route, actor, request, body),
    namedApproval(request),
  );
  try {
    return await work();
  } catch (error) {
    await returnApproval(context.db, approval);
    throw error;
  }
}

/** Uses the named approval up and returns its id. Throws `approval_required`. Not inside a transaction. */
export async function useOrAsk(
  context: Context,
  actor: Actor,
  target: ApprovalTarget,
  named: string | null,
): Promise<string> {
  const { db, clock } = context;
  if (named !== null && (await useApproval(db, named, target, clock.now()))) return named;
  throw new AppError('approval_required', { approval: await ask(context, actor, target) });
}

/** The id of the waiting question about this call; asks it if it does not wait yet. Throws `too_many_attempts`. */
async function ask(context: Context, actor: Actor, target: ApprovalTarget): Promise<string> {
  return inTransaction(context.db, async (tx) => {
    // Two presses at once find one question.
    if (!(await lockStaffMember(tx.trx, actor.id))) throw new AppError('unauthenticated');
    const now = context.clock.now();
    const waiting = await findWaitingApprovals(tx.trx, now, actor.id);
    const same = waiting.find((row) => row.action === target.action && row.target === target.target);
    if (same) return same.id;
    if (waiting.length >= APPROVALS_WAITING) throw new AppError('too_many_attempts', { retryAfter: 60 });
    const id = randomUUID();
    await insertApproval(tx.trx, id, target, now);
    await context.audit.append(tx, {
      actor,
      action: 'approval.asked',
      ...approvalSubject(target),
      details: { call: target.action },
    });
    await context.events.append(tx, { type: 'approval.changed' });
    return id;
  });
}

/** The person whom a request is about, for the audit log. */
export function approvalSubject({
  subject_kind: kind,
  subject_id: id,
}: Pick<ApprovalTarget, 'subject_kind' | 'subject_id'>) {
  return kind !== null && id !== null ? { subject: { kind, id } } : {};
}
