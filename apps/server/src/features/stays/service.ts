/** Check-in and checkout: atomic, each stay a row of its own. */
import { randomUUID } from 'node:crypto';
import type { EntryPeriod } from '@haris/contract/fields';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { randomToken } from '../../vault/vault.ts';
import { endUnprovenPassword } from '../../vouching.ts';
import type { StayAnswer } from './idempotency.ts';
import { answerOf, inOneStep } from './one-step.ts';

/** Checks a child in. Throws 404, `already_inside`, `idempotency_key_reused`. */
export async function checkIn(
  context: Context,
  actor: Actor,
  childId: string,
  durationInMinutes: EntryPeriod,
  key: string | null,
): Promise<StayAnswer> {
  const request = { actorId: actor.id, key, asks: `check-in ${childId} ${durationInMinutes}`, childId };
  return inOneStep(context, request, async (tx) => {
    const id = randomUUID();
    const made = await tx.trx
      .insertInto('stays')
      .values({
        id,
        unique_entry_id: randomToken(),
        child_id: childId,
        checked_in_by: actor.id,
        entry_time: context.clock.now(),
        duration: durationInMinutes,
        checked_out_by: null,
        exit_time: null,
        time_up_at: null,
      })
      // The database itself forbids a second open stay.
      .onConflict((conflict) => conflict.column('child_id').where('exit_time', 'is', null).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!made) throw new AppError('already_inside');
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
