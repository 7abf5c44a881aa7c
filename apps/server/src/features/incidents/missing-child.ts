/**
 * A missing child: staff raise the danger for a child who is inside, and it lasts until staff say that the child was found.
 * Nothing else ends it, also no checkout, because a child that is signed out by mistake is still missing.
 */
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { lockChild } from '../../db/children.ts';
import { findIncident, findOpenIncidentFor, lockIncident } from '../../db/incidents.ts';
import type { IncidentRow } from '../../db/schema.ts';
import { isAnyInside } from '../../db/stays.ts';
import { inTransaction } from '../../db/transaction.ts';
import { clearIn, raiseIn } from './lifecycle.ts';

/**
 * Raises the danger, or returns the open one, because two people may miss the same child at once. Throws 404, `not_inside`.
 */
export async function reportMissingChild(
  context: Context,
  actor: Actor,
  childId: string,
): Promise<IncidentRow> {
  return inTransaction(context.db, async (tx) => {
    // A colleague who reports or checks out the same child waits here.
    if (!(await lockChild(tx.trx, childId))) throw new AppError('not_found');
    const condition = `missing_child ${childId}`;
    const open = await findOpenIncidentFor(tx.trx, condition);
    // A colleague who says at this moment that the child was found waits, or has ended the danger: then it is a new one.
    const locked = open && (await lockIncident(tx.trx, open.id));
    if (locked && locked.cleared_at === null) return locked;
    if (!(await isAnyInside(tx.trx, [childId]))) throw new AppError('not_inside');
    // In no area, so that it reaches also those who want to hear of some rooms alone.
    const subject = { kind: 'child', id: childId } as const;
    const row = await raiseIn(context, tx, { kind: 'missing_child', condition, subject }, { actor });
    if (!row) throw new AppError('unavailable');
    return row;
  });
}

/** Ends the danger; does nothing if it has ended. Throws 404. */
export async function markChildFound(
  context: Context,
  actor: Actor,
  id: string,
  note: string | undefined,
): Promise<IncidentRow> {
  return inTransaction(context.db, async (tx) => {
    const row = await lockIncident(tx.trx, id);
    if (row?.kind !== 'missing_child') throw new AppError('not_found');
    await clearIn(context, tx, id, { actor, note });
    return (await findIncident(tx.trx, id)) ?? row;
  });
}
