/** What every change of a collector does: it locks, counts, and records (decision 049). */
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findCollector } from '../../db/collectors.ts';
import type { CollectorRow } from '../../db/schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockChildFor } from '../../guardian-rights.ts';
import { mailChanges } from '../../proposals/change-mail.ts';
import { countChange } from '../../proposals/limits.ts';

/**
 * Whether a guardian may read and change a collector: a first guardian who may not take the child only those whom it has named. Otherwise
 * it would learn who takes the child, could end whom the desk has entered, or put a friend in that place. `mayTake`: undefined for staff.
 */
export function isOpenTo(
  actor: Pick<Actor, 'id'>,
  mayTake: boolean | undefined,
  { named_by }: Pick<CollectorRow, 'named_by'>,
): boolean {
  return mayTake !== false || named_by === actor.id;
}

/**
 * The columns of a collector who is another person, or shows another face, than the one whom staff have seen: nobody has confirmed it. A
 * family that changes what staff have entered names that person itself, so that it does not count without somebody trusted.
 */
export function anew({ version }: Pick<CollectorRow, 'version'>, actor: Pick<Actor, 'kind' | 'id'>) {
  return {
    version: version + 1,
    confirmed_at: null,
    confirmed_by: null,
    ...(actor.kind === 'parent' ? { named_by: actor.id } : {}),
  };
}

/** Locks the child of a collector that has not ended, and reads the collector again. Throws 404. */
export async function lockCollector(
  tx: Tx,
  actor: Actor,
  { id, child_id }: Pick<CollectorRow, 'id' | 'child_id'>,
) {
  const child = await lockChildFor(tx, actor, child_id, 'mayCollect');
  const row = await findCollector(tx.trx, id);
  if (!row || row.ended_at !== null || !isOpenTo(actor, child.own?.mayTake, row))
    throw new AppError('not_found');
  return { child, row };
}

/**
 * Counts a change by a parent, and mails the owner of the account: whoever has a stolen session could name a friend. Throws
 * `too_many_attempts`.
 */
export async function admitChange(
  context: Context,
  tx: Tx,
  actor: Actor,
  change: 'collector' | 'pass',
): Promise<void> {
  if (actor.kind !== 'parent') return;
  if (change === 'collector') await countChange(context, tx, actor);
  await mailChanges(context, tx, actor.id, [change]);
}

/** Writes the audit row and the event of a change. */
export async function recordChange(
  context: Context,
  tx: Tx,
  actor: Actor,
  action:
    | 'collector.added'
    | 'collector.updated'
    | 'collector.removed'
    | 'collector.photo_set'
    | 'collector.photo_removed',
  { child, collectorId }: { readonly child: { id: string; parent_id: string }; readonly collectorId: string },
): Promise<void> {
  await context.audit.append(tx, {
    actor,
    action,
    subject: { kind: 'child', id: child.id },
    details: { collectorId },
  });
  await context.events.append(tx, { type: 'child.updated', childId: child.id, parentId: child.parent_id });
}

/** The photo of a collector among those of the child. */
export const photoOf = ({ id, child_id }: Pick<CollectorRow, 'id' | 'child_id'>) =>
  ({ kind: 'child', id: child_id, collectorId: id }) as const;
