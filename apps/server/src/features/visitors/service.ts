/** Signs visitors in and out, and presents them. */

import { randomUUID } from 'node:crypto';
import { VISITOR_INSIDE_MAX_MS } from '@haris/contract/constants';
import type { Visitor } from '@haris/contract/http/visitors';
import { foldForSearch } from '@haris/contract/search/folding';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findChild } from '../../db/children.ts';
import type { VisitorRow } from '../../db/schema.ts';
import { findStaffMember } from '../../db/staff.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { endVisit, findVisitor, insertVisitor, type VisitorWithStaff } from '../../db/visitors.ts';
import { currentFacility } from '../../facility.ts';

/** Whether a visitor counts as inside at `now` (milliseconds since 1970). */
function isVisitorInside(
  { signed_in_at, signed_out_at }: Pick<VisitorRow, 'signed_in_at' | 'signed_out_at'>,
  now: number,
): boolean {
  return signed_out_at === null && signed_in_at > now - VISITOR_INSIDE_MAX_MS;
}

export function presentVisitor(row: VisitorWithStaff, now: number): Visitor {
  return {
    _id: row.id,
    kind: row.kind,
    name: row.name,
    phone: row.phone,
    reason: row.reason,
    signedInAt: toMoment(row.signed_in_at),
    signedInBy: { _id: row.signed_in_by, name: row.signed_in_name },
    signedOutAt: row.signed_out_at === null ? null : toMoment(row.signed_out_at),
    isInside: isVisitorInside(row, now),
  };
}

export interface VisitorInput {
  readonly _id?: string | undefined;
  readonly kind: VisitorRow['kind'];
  readonly name: string;
  readonly phone?: string | null | undefined;
  readonly reason?: string | null | undefined;
}

/**
 * The caller chooses the id, so it must not be one of a child or of staff: a tick of the roll call would count for both.
 * Throws 400 at `_id`.
 */
async function requireOwnId(db: Context['db'], id: string): Promise<void> {
  if (!(await findChild(db, id)) && !(await findStaffMember(db, id))) return;
  const message = '_id belongs to somebody else';
  throw new AppError('invalid_request', { message, fields: { _id: message } });
}

/** Signs a person in; a known id changes nothing. Throws 400. */
export async function signIn(
  context: Context,
  actor: Actor,
  { _id, kind, name, phone = null, reason = null }: VisitorInput,
): Promise<VisitorWithStaff> {
  const id = _id ?? randomUUID();
  return inTransaction(context.db, async (tx) => {
    await requireOwnId(tx.trx, id);
    const isNew = await insertVisitor(tx.trx, {
      id,
      facility_id: currentFacility(),
      kind,
      name,
      phone,
      reason,
      search_text: [name, phone ?? '', reason ?? ''].map(foldForSearch).join('\n'),
      signed_in_at: context.clock.now(),
      signed_in_by: actor.id,
      signed_out_at: null,
      signed_out_by: null,
    });
    if (isNew) await record(context, tx, actor, 'visitor.signed_in', id);
    return found(tx.trx, id);
  });
}

/** Signs a person out; does nothing if that has happened before. Throws 404. */
export async function signOut(context: Context, actor: Actor, id: string): Promise<VisitorWithStaff> {
  return inTransaction(context.db, async (tx) => {
    const isNew = await endVisit(tx.trx, id, { by: actor.id, at: context.clock.now() });
    if (isNew) await record(context, tx, actor, 'visitor.signed_out', id);
    return found(tx.trx, id);
  });
}

async function found(db: Context['db'], id: string): Promise<VisitorWithStaff> {
  const row = await findVisitor(db, id);
  if (!row) throw new AppError('not_found');
  return row;
}

async function record(
  context: Context,
  tx: Tx,
  actor: Actor,
  action: 'visitor.signed_in' | 'visitor.signed_out',
  id: string,
): Promise<void> {
  await context.audit.append(tx, { actor, action, subject: { kind: 'visitor', id }, details: {} });
  await context.events.append(tx, { type: 'visitor.changed' });
}
