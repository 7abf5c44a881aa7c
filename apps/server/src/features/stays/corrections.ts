/** Undoes a mistaken check-in or checkout. The correction is recorded, and the stay's row remains. */
import { UNDO_GRACE_SECONDS, UNDO_WINDOW_SECONDS } from '@haris/contract/constants';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findBarred } from '../../db/barred-adults.ts';
import { restorePassOf } from '../../db/collectors.ts';
import { findGuardiansOf } from '../../db/guardians/of-child.ts';
import { findLaterStays } from '../../db/past-stays.ts';
import { findReleaseOf } from '../../db/releases.ts';
import type { StayRow } from '../../db/schema.ts';
import { findStayByEntryId, reopenStay, voidStay } from '../../db/stays.ts';
import type { Tx } from '../../db/transaction.ts';
import { acrossFacilities, currentFacility } from '../../facility.ts';
import { notifyOfUndoneCheckIn, notifyOfUndoneRelease } from '../../notifications/releases.ts';
import { lockRoomOfStay } from '../../rooms/places.ts';
import type { KeyedRequest, StayAnswer } from './idempotency.ts';
import { answerOf, inOneStep } from './one-step.ts';

const UNDO_WITHIN_MS = (UNDO_WINDOW_SECONDS + UNDO_GRACE_SECONDS) * 1000;

/** Request to undo one step of a child's stay, with its idempotency key. */
export interface UndoRequest {
  readonly childId: string;
  readonly entryId: string;
  readonly key: string | null;
}

/**
 * Undoes a check-in: voids the stay, so that the child is outside.
 * Throws 404 (also for another child's entry), `nothing_to_undo`, `undo_too_late`, `collector_required`,
 * `idempotency_key_reused`.
 */
export async function undoCheckIn(context: Context, actor: Actor, undo: UndoRequest): Promise<StayAnswer> {
  return inOneStep(context, requestOf('undo check-in', actor, undo), async (tx, child) => {
    const stay = await getStay(tx, undo);
    if (stay.exit_time !== null) throw new AppError('nothing_to_undo');
    const now = context.clock.now();
    requireInTime(now, stay.entry_time);
    await requireOwnMistake(tx, actor, stay);
    await voidStay(tx.trx, stay, { by: actor.id, at: now });
    const answer = await record(context, tx, actor, stay, 'child.check_in_undone', 'Check-in undone');
    const undone = { stayId: stay.id, childName: answer.child.name, child };
    await notifyOfUndoneCheckIn(context, tx, undone);
    return answer;
  });
}

/**
 * Undoes a checkout: reopens the stay with the same entry id.
 * Throws 404 (also for another child's entry), `already_inside` when a later stay is open, `nothing_to_undo`,
 * `undo_too_late`, `idempotency_key_reused`.
 */
export async function undoCheckOut(context: Context, actor: Actor, undo: UndoRequest): Promise<StayAnswer> {
  return inOneStep(context, requestOf('undo checkout', actor, undo), async (tx, child) => {
    const stay = await getStay(tx, undo);
    if (stay.exit_time === null || stay.voided_at !== null) throw new AppError('nothing_to_undo');
    // The child may have come to another facility meanwhile.
    const later = await acrossFacilities(() => findLaterStays(tx.trx, stay));
    if (later.some(({ exit_time }) => exit_time === null)) throw new AppError('already_inside');
    // A later stay that has ended cannot lie within this one.
    if (later.length > 0) throw new AppError('nothing_to_undo');
    const now = context.clock.now();
    requireInTime(now, stay.exit_time);
    const room = await lockRoomOfStay(tx, currentFacility(), stay.room_id);
    await reopenStay(tx.trx, stay, room.id, { by: actor.id, at: now });
    // The record of the release stays for the next one; its pass counts again.
    await restorePassOf(tx.trx, stay.id);
    const answer = await record(context, tx, actor, stay, 'child.checkout_undone', 'Checkout undone');
    const released = { stayId: stay.id, childName: answer.child.name, child };
    await notifyOfUndoneRelease(context, tx, released);
    return answer;
  });
}

/**
 * Throws `undo_too_late`, also for a step in the future: the clock was set back, and nobody knows how long ago the step was.
 */
function requireInTime(now: number, stepAt: number): void {
  const ago = now - stepAt;
  if (ago < 0 || ago > UNDO_WITHIN_MS) throw new AppError('undo_too_late');
}

/**
 * An undone check-in ends a stay without a hand-over. While an adult is barred, or a guardian may not take the child, only the person
 * who made the check-in may undo it, who says that the child never came in; and not once the child was handed over, which says that it did.
 * Throws `collector_required`. Call it with the child locked.
 */
async function requireOwnMistake({ trx }: Tx, actor: Actor, stay: StayRow): Promise<void> {
  if (!(await mustNameTaker(trx, stay.child_id))) return;
  const isOwn = stay.checked_in_by === actor.id && (await findReleaseOf(trx, stay.id)) === undefined;
  if (!isOwn) throw new AppError('collector_required');
}

/** Whether the child leaves with an adult who is named alone, whatever the facility requires. */
async function mustNameTaker(trx: Tx['trx'], childId: string): Promise<boolean> {
  if ((await findBarred(trx, childId)).length > 0) return true;
  return (await findGuardiansOf(trx, childId)).some(({ mayTake }) => !mayTake);
}

function requestOf(what: string, actor: Actor, { childId, entryId, key }: UndoRequest): KeyedRequest {
  return { actor, key, asks: `${what} ${childId} ${entryId}`, childId };
}

async function getStay(tx: Tx, { childId, entryId }: UndoRequest): Promise<StayRow> {
  const stay = await findStayByEntryId(tx.trx, entryId);
  if (stay?.child_id !== childId) throw new AppError('not_found');
  return stay;
}

/** Writes the audit row and emits the event. */
async function record(
  context: Context,
  tx: Tx,
  actor: Actor,
  stay: StayRow,
  type: 'child.check_in_undone' | 'child.checkout_undone',
  message: string,
): Promise<StayAnswer> {
  const childId = stay.child_id;
  const answer = await answerOf(tx, actor, childId, message);
  await context.audit.append(tx, {
    actor,
    action: type,
    subject: { kind: 'child', id: childId },
    details: { stayId: stay.id },
  });
  await context.events.append(tx, {
    type,
    childId,
    parentId: answer.child.parent._id,
    audience: 'guardians',
  });
  return answer;
}
