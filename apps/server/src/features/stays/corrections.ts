/** Undoes a check-in or a checkout made by mistake: a correction that is kept, nothing is erased. */
import { randomUUID } from 'node:crypto';
import { UNDO_GRACE_SECONDS, UNDO_WINDOW_SECONDS } from '@haris/contract/constants';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { StayRow } from '../../db/schema.ts';
import type { Tx } from '../../db/transaction.ts';
import type { KeyedRequest, StayAnswer } from './idempotency.ts';
import { answerOf, inOneStep } from './one-step.ts';

const UNDO_WITHIN_MS = (UNDO_WINDOW_SECONDS + UNDO_GRACE_SECONDS) * 1000;

/** Which stay of which child, and under which idempotency key. */
export interface UndoRequest {
  readonly childId: string;
  readonly entryId: string;
  readonly key: string | null;
}

/**
 * Makes the stay of a check-in void, and the child is outside.
 * Throws 404 (also for another child's entry), `nothing_to_undo`, `undo_too_late`, `idempotency_key_reused`.
 */
export async function undoCheckIn(context: Context, actor: Actor, undo: UndoRequest): Promise<StayAnswer> {
  return inOneStep(context, requestOf('undo check-in', actor, undo), async (tx) => {
    const stay = await getStay(tx, undo);
    if (stay.exit_time !== null) throw new AppError('nothing_to_undo');
    const now = context.clock.now();
    if (now - stay.entry_time > UNDO_WITHIN_MS) throw new AppError('undo_too_late');
    await tx.trx
      .updateTable('stays')
      .set({ exit_time: now, checked_out_by: actor.id, voided_at: now })
      .where('id', '=', stay.id)
      .execute();
    await keepCorrection(tx, 'check_in_undone', stay, actor, now);
    return tell(context, tx, actor, stay, 'child.check_in_undone', 'Check-in undone');
  });
}

/**
 * Opens the stay of a checkout again, with the same entry id.
 * Throws 404 (also for another child's entry), `already_inside` when the child has come in anew, `nothing_to_undo`,
 * `undo_too_late`, `idempotency_key_reused`.
 */
export async function undoCheckOut(context: Context, actor: Actor, undo: UndoRequest): Promise<StayAnswer> {
  return inOneStep(context, requestOf('undo checkout', actor, undo), async (tx) => {
    const stay = await getStay(tx, undo);
    if (stay.exit_time === null || stay.voided_at !== null) throw new AppError('nothing_to_undo');
    const later = await tx.trx
      .selectFrom('stays')
      .select('exit_time')
      .where('child_id', '=', stay.child_id)
      .where('id', '!=', stay.id)
      .where('voided_at', 'is', null)
      // One that is open is later, whatever a clock that was set back says.
      .where((eb) => eb.or([eb('exit_time', 'is', null), eb('entry_time', '>=', Number(stay.exit_time))]))
      .execute();
    if (later.some(({ exit_time }) => exit_time === null)) throw new AppError('already_inside');
    // A visit that has begun and ended since cannot lie within this one.
    if (later.length > 0) throw new AppError('nothing_to_undo');
    const now = context.clock.now();
    if (now - stay.exit_time > UNDO_WITHIN_MS) throw new AppError('undo_too_late');
    // `time_up_at` stays: that time is up is said once for each stay, and said now if it ran out in between.
    await tx.trx
      .updateTable('stays')
      .set({ exit_time: null, checked_out_by: null })
      .where('id', '=', stay.id)
      .execute();
    await keepCorrection(tx, 'checkout_undone', stay, actor, now);
    return tell(context, tx, actor, stay, 'child.checkout_undone', 'Checkout undone');
  });
}

function requestOf(what: string, actor: Actor, { childId, entryId, key }: UndoRequest): KeyedRequest {
  return { actorId: actor.id, key, asks: `${what} ${childId} ${entryId}`, childId };
}

async function getStay(tx: Tx, { childId, entryId }: UndoRequest): Promise<StayRow> {
  const stay = await tx.trx
    .selectFrom('stays')
    .selectAll()
    .where('unique_entry_id', '=', entryId)
    .where('child_id', '=', childId)
    .executeTakeFirst();
  if (!stay) throw new AppError('not_found');
  return stay;
}

async function keepCorrection(
  tx: Tx,
  kind: 'check_in_undone' | 'checkout_undone',
  before: StayRow,
  actor: Actor,
  now: number,
): Promise<void> {
  await tx.trx
    .insertInto('stay_corrections')
    .values({
      id: randomUUID(),
      stay_id: before.id,
      kind,
      corrected_by: actor.id,
      corrected_at: now,
      exit_time_before: before.exit_time,
      checked_out_by_before: before.checked_out_by,
      time_up_at_before: before.time_up_at,
    })
    .execute();
}

async function tell(
  context: Context,
  tx: Tx,
  actor: Actor,
  stay: StayRow,
  type: 'child.check_in_undone' | 'child.checkout_undone',
  message: string,
): Promise<StayAnswer> {
  const childId = stay.child_id;
  const answer = await answerOf(tx, childId, message);
  await context.audit.append(tx, {
    actor,
    action: type,
    subject: { kind: 'child', id: childId },
    details: { stayId: stay.id },
  });
  await context.events.append(tx, { type, childId, parentId: answer.child.parent._id });
  return answer;
}
