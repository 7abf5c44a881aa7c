/** Collectors: named and changed by a family or by staff, and ended at once (decision 049). */
import { randomUUID } from 'node:crypto';
import { COLLECTORS_MAX, type Collector } from '@haris/contract/http/collectors';
import { foldPersonName } from '@haris/contract/release';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import {
  endCollectors,
  findCollectors,
  insertCollector,
  revokePasses,
  updateCollector as updateRow,
} from '../../db/collectors.ts';
import type { CollectorRow } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { lockChildFor } from '../../guardian-rights.ts';
import { type CollectorSecrets, openCollector, sealCollector } from '../../hand-over/adults.ts';
import { admitChange, anew, lockCollector, recordChange } from './collector-steps.ts';
import { presentOne } from './collector-views.ts';

/** What a family tells about a collector. */
export interface CollectorDetails {
  readonly name: string;
  readonly relation: string;
  readonly phone?: string | null | undefined;
  readonly from?: string | null | undefined;
  readonly until?: string | null | undefined;
  readonly weekdays: readonly number[];
}

function columnsOf({ from, until, weekdays }: CollectorDetails) {
  return {
    valid_from: from ?? null,
    valid_until: until ?? null,
    weekdays: JSON.stringify([...new Set(weekdays)].sort()),
  };
}

/** Names a collector. Throws 404, `too_many_collectors`, `too_many_attempts`. */
export async function addCollector(
  context: Context,
  actor: Actor,
  childId: string,
  details: CollectorDetails,
): Promise<Collector> {
  const collector = await inTransaction(context.db, async (tx) => {
    const child = await lockChildFor(tx, actor, childId, 'mayCollect');
    if ((await findCollectors(tx.trx, childId)).length >= COLLECTORS_MAX)
      throw new AppError('too_many_collectors');
    await admitChange(context, tx, actor, 'collector');
    const id = randomUUID();
    const { name, relation, phone = null } = details;
    const secrets: CollectorSecrets = { name, relation, phone, document: null };
    await insertCollector(tx.trx, {
      id,
      child_id: childId,
      sealed: await sealCollector(context, tx, { id, childId }, secrets),
      ...columnsOf(details),
      version: 1,
      named_by: actor.id,
      created_at: context.clock.now(),
      confirmed_at: null,
      confirmed_by: null,
      ended_at: null,
    });
    await recordChange(context, tx, actor, 'collector.added', {
      child,
      collectorId: id,
    });
    return presentOne(context, tx, actor, id);
  });
  await context.mails.settled();
  return collector;
}

/**
 * Changes a collector. Another name or phone removes the confirmation and ends passes; the family that wrote it is who names the person
 * then. Throws 404, `too_many_attempts`.
 */
export async function changeCollector(
  context: Context,
  actor: Actor,
  known: CollectorRow,
  details: CollectorDetails,
): Promise<Collector> {
  const collector = await inTransaction(context.db, async (tx) => {
    const { child, row } = await lockCollector(tx, actor, known);
    await admitChange(context, tx, actor, 'collector');
    const before = await openCollector(context, tx.trx, row);
    const { name, relation, phone = null } = details;
    const isSamePerson = foldPersonName(before.name) === foldPersonName(name) && before.phone === phone;
    const document = isSamePerson ? before.document : null;
    await updateRow(tx.trx, row.id, {
      sealed: await sealCollector(
        context,
        tx,
        { id: row.id, childId: child.id },
        { name, relation, phone, document },
      ),
      ...columnsOf(details),
      ...(isSamePerson ? {} : anew(row, actor)),
    });
    if (!isSamePerson) await revokePasses(tx.trx, row.id, context.clock.now());
    await recordChange(context, tx, actor, 'collector.updated', { child, collectorId: row.id });
    return presentOne(context, tx, actor, row.id);
  });
  await context.mails.settled();
  return collector;
}

/** Ends a collector and the passes at once, and erases the photo. Throws 404. */
export async function endCollector(context: Context, actor: Actor, known: CollectorRow): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const { child, row } = await lockCollector(tx, actor, known);
    await endCollectors(tx.trx, [row.id], context.clock.now());
    await recordChange(context, tx, actor, 'collector.removed', { child, collectorId: row.id });
  });
}
