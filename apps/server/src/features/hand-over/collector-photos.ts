/** Photos of collectors: set and removed by a family or by staff (decision 049). */
import type { Collector } from '@haris/contract/http/collectors';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { revokePasses, updateCollector } from '../../db/collectors.ts';
import { dropPhotos, hasPhoto, keepPhoto } from '../../db/photos.ts';
import type { CollectorRow } from '../../db/schema.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { openCollector, sealCollector } from '../../hand-over/adults.ts';
import { mailChanges } from '../../proposals/change-mail.ts';
import { countChange } from '../../proposals/limits.ts';
import { askerOf } from '../../vision/client.ts';
import { toStoredPhoto } from '../../vision/stored-photo.ts';
import { admitChange, anew, lockCollector, photoOf, recordChange } from './collector-steps.ts';
import { presentOne } from './collector-views.ts';

/**
 * Sets the photo of a collector. The confirmation and the passes end: staff have seen another face. Throws 404,
 * `too_many_attempts`, `unreadable_photo`, 503.
 */
export async function setCollectorPhoto(
  context: Context,
  actor: Actor,
  known: CollectorRow,
  photo: Buffer,
): Promise<Collector> {
  // Counted before the photo is decoded, which is much work.
  await inTransaction(context.db, (tx) => countChange(context, tx, actor));
  const jpeg = await toStoredPhoto(context, askerOf(actor), photo);
  const collector = await inTransaction(context.db, async (tx) => {
    const { child, row } = await lockCollector(tx, actor, known);
    if (actor.kind === 'parent') await mailChanges(context, tx, actor.id, ['collector']);
    await keepPhoto(context, tx, photoOf(row), jpeg, context.clock.now());
    await endConfirmation(context, tx, actor, row);
    await recordChange(context, tx, actor, 'collector.photo_set', { child, collectorId: row.id });
    return presentOne(context, tx, actor, row.id);
  });
  await context.mails.settled();
  return collector;
}

/** Removes the photo of a collector, with the confirmation and the passes. Throws 404, `too_many_attempts`. */
export async function removeCollectorPhoto(
  context: Context,
  actor: Actor,
  known: CollectorRow,
): Promise<Collector> {
  const collector = await inTransaction(context.db, async (tx) => {
    const { child, row } = await lockCollector(tx, actor, known);
    if (await hasPhoto(tx.trx, photoOf(row))) {
      await admitChange(context, tx, actor, 'collector');
      await dropPhotos(tx, photoOf(row));
      await endConfirmation(context, tx, actor, row);
      await recordChange(context, tx, actor, 'collector.photo_removed', { child, collectorId: row.id });
    }
    return presentOne(context, tx, actor, row.id);
  });
  await context.mails.settled();
  return collector;
}

/** Makes a collector one whom nobody has confirmed, and ends the passes. */
async function endConfirmation(context: Context, tx: Tx, actor: Actor, row: CollectorRow): Promise<void> {
  const { name, relation, phone } = await openCollector(context, tx.trx, row);
  await updateCollector(tx.trx, row.id, {
    sealed: await sealCollector(
      context,
      tx,
      { id: row.id, childId: row.child_id },
      { name, relation, phone, document: null },
    ),
    ...anew(row, actor),
  });
  await revokePasses(tx.trx, row.id, context.clock.now());
}
