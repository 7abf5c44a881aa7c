/**
 * A missing child: staff raise the danger for a child who is inside or on the roll call, and it lasts until staff say that the child was found.
 * Nothing else ends it, also no checkout, because a child that is signed out by mistake is still missing.
 */
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findCalledChildren } from '../../db/called-children.ts';
import { lockChild } from '../../db/children.ts';
import { findIncident, findOpenIncidentFor, hasEndedSince, lockIncident } from '../../db/incidents.ts';
import { findRoomOfChild } from '../../db/rooms.ts';
import type { IncidentRow } from '../../db/schema.ts';
import { findLastSeen } from '../../db/sightings.ts';
import { isAnyInside } from '../../db/stays.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
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
    const open = await findOpenIncidentFor(tx.trx, missingCondition(childId));
    // A colleague who says at this moment that the child was found waits, or has ended the danger: then it is a new one.
    const locked = open && (await lockIncident(tx.trx, open.id));
    if (locked && locked.cleared_at === null) return locked;
    if (!(await mayBeMissing(context, tx, childId))) throw new AppError('not_inside');
    const row = await raiseMissingIn(context, tx, actor, childId);
    if (!row) throw new AppError('unavailable');
    return row;
  });
}

/** Whether the child is inside, or on the roll call of now because a desk tablet says so (decision 055). */
async function mayBeMissing({ clock }: Context, { trx }: Tx, childId: string): Promise<boolean> {
  if (await isAnyInside(trx, [childId])) return true;
  const called = await findCalledChildren(trx, { from: clock.now(), to: null });
  return called.some(({ child_id, exit_time }) => child_id === childId && exit_time === null);
}

/** The name of the condition, whoever misses the child. */
function missingCondition(childId: string): string {
  return `missing_child ${childId}`;
}

/** Raises the danger in this transaction, with the last place of the child, which must be locked; null if it is raised already. */
export async function raiseMissingIn(
  context: Context,
  tx: Tx,
  actor: Actor | null,
  childId: string,
): Promise<IncidentRow | null> {
  const seen = (await findLastSeen(tx.trx, [childId])).get(childId);
  const room = seen === undefined ? await findRoomOfChild(tx.trx, childId) : undefined;
  const lastPlace = seen ?? (room === undefined ? null : { area: room, at: null });
  // In no area, so that it reaches also those who want to hear of some rooms alone.
  const subject = { kind: 'child', id: childId } as const;
  const finding = {
    kind: 'missing_child',
    condition: missingCondition(childId),
    subject,
    lastPlace,
  } as const;
  return raiseIn(context, tx, finding, { actor });
}

/** Ends the danger about a child in this transaction, if there is one: the actor has it in sight. */
export async function clearMissingIn(
  context: Context,
  tx: Tx,
  actor: Actor,
  childId: string,
  note: string | undefined,
): Promise<void> {
  const open = await findOpenIncidentFor(tx.trx, missingCondition(childId));
  if (open) await clearIn(context, tx, open.id, { actor, note });
}

/** Whether the danger about a child has ended since a moment (milliseconds since 1970). */
export async function hasBeenFoundSince({ trx }: Tx, childId: string, since: number): Promise<boolean> {
  return hasEndedSince(trx, missingCondition(childId), since);
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
