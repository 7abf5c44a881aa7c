/** Check-in and checkout: atomic, each stay a row of its own. */
import { randomUUID } from 'node:crypto';
import type { EntryPeriod } from '@haris/contract/fields';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { type Accept, accepting } from '../../proposals/decide.ts';
import { randomToken } from '../../vault/vault.ts';
import { endUnprovenPassword } from '../../vouching.ts';
import type { KeyedRequest, StayAnswer } from './idempotency.ts';
import { answerOf, inOneStep } from './one-step.ts';

/** What a check-in confirms in the same step (contract §6). */
export interface AtTheDoor {
  /** All that waits for this child. */
  readonly confirm: boolean;
  /** What was looked at; undefined: whatever waits. */
  readonly revision: string | undefined;
}

/**
 * Checks a child in, and confirms in the same step what its parent gave where the desk says so. Throws 404,
 * `already_inside`, `idempotency_key_reused`; when it confirms, `proposal_changed`, `face_already_registered`, 503.
 */
export async function checkIn(
  context: Context,
  actor: Actor,
  childId: string,
  durationInMinutes: EntryPeriod,
  key: string | null,
  { confirm, revision }: AtTheDoor = { confirm: false, revision: undefined },
): Promise<StayAnswer> {
  const asks = `check-in ${childId} ${durationInMinutes}${confirm ? ` confirm ${revision ?? ''}` : ''}`;
  const request = { actorId: actor.id, key, asks, childId };
  if (!confirm) return enter(context, actor, request, durationInMinutes, null);
  const subject = { kind: 'child', id: childId } as const;
  const { result } = await accepting(context, actor, subject, { revision, confirmed: false }, (accept) =>
    enter(context, actor, request, durationInMinutes, accept),
  );
  return result;
}

function enter(
  context: Context,
  actor: Actor,
  request: KeyedRequest,
  durationInMinutes: EntryPeriod,
  accept: Accept | null,
): Promise<StayAnswer> {
  const { childId } = request;
  return inOneStep(context, request, async (tx) => {
    const id = randomUUID();
    const open = () => openStay(context, tx, actor, { id, childId, durationInMinutes });
    // Whatever refuses does so before the first write: a refusal is kept for its key, with all that was written by then.
    await (accept ? accept(tx, open) : open());
    const answer = await answerOf(tx, childId, 'Child checked in successfully');
    await endUnprovenPassword(context, tx, actor, answer.child.parent._id, 'checked_in');
    await context.audit.append(tx, {
      actor,
      action: 'child.checked_in',
      subject: { kind: 'child', id: childId },
      details: { stayId: id, minutes: durationInMinutes },
    });
    await context.events.append(tx, {
      type: 'child.checked_in',
      childId,
      parentId: answer.child.parent._id,
    });
    return answer;
  });
}

/** Throws `already_inside`. */
async function openStay(
  context: Context,
  { trx }: Tx,
  actor: Actor,
  stay: { readonly id: string; readonly childId: string; readonly durationInMinutes: EntryPeriod },
): Promise<void> {
  const made = await trx
    .insertInto('stays')
    .values({
      id: stay.id,
      unique_entry_id: randomToken(),
      child_id: stay.childId,
      checked_in_by: actor.id,
      entry_time: context.clock.now(),
      duration: stay.durationInMinutes,
      checked_out_by: null,
      exit_time: null,
      time_up_at: null,
    })
    // The database itself forbids a second open stay.
    .onConflict((conflict) => conflict.column('child_id').where('exit_time', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) throw new AppError('already_inside');
}

/** Checks a child out. Throws 404, `not_inside`, `idempotency_key_reused`. */
export async function checkOut(
  context: Context,
  actor: Actor,
  childId: string,
  key: string | null,
): Promise<StayAnswer> {
  const request = { actorId: actor.id, key, asks: `checkout ${childId}`, childId };
  return inOneStep(context, request, async (tx) => {
    const ended = await tx.trx
      .updateTable('stays')
      .set({ exit_time: context.clock.now(), checked_out_by: actor.id })
      .where('child_id', '=', childId)
      .where('exit_time', 'is', null)
      .returning(['id', 'entry_time'])
      .executeTakeFirst();
    if (!ended) throw new AppError('not_inside');
    const answer = await answerOf(tx, childId, 'Child checked out successfully');
    await context.audit.append(tx, {
      actor,
      action: 'child.checked_out',
      subject: { kind: 'child', id: childId },
      details: { stayId: ended.id },
    });
    await context.events.append(tx, {
      type: 'child.checked_out',
      childId,
      parentId: answer.child.parent._id,
    });
    return answer;
  });
}

/** Says `child.time_up` once for each open stay whose time has run out; several servers say it once together. */
export async function announceTimeUp(context: Context): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  const due = await db
    .selectFrom('stays')
    .innerJoin('children', 'children.id', 'stays.child_id')
    .select(['stays.id', 'stays.child_id', 'children.parent_id'])
    .where('stays.exit_time', 'is', null)
    .where('stays.time_up_at', 'is', null)
    .where((eb) => eb(eb('stays.entry_time', '+', eb('stays.duration', '*', 60_000)), '<=', now))
    .execute();
  for (const stay of due)
    await inTransaction(db, async (tx) => {
      const mine = await tx.trx
        .updateTable('stays')
        .set({ time_up_at: now })
        .where('id', '=', stay.id)
        .where('exit_time', 'is', null)
        .where('time_up_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      if (!mine) return;
      await context.audit.append(tx, {
        actor: null,
        action: 'child.time_up',
        subject: { kind: 'child', id: stay.child_id },
        details: { stayId: stay.id },
      });
      await context.events.append(tx, {
        type: 'child.time_up',
        childId: stay.child_id,
        parentId: stay.parent_id,
      });
    });
}
