/** Photos of barred adults: set and removed by staff, for each child of the family with the same bar (decision 049). */
import type { BarredAdult } from '@haris/contract/http/barred';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { lockChild } from '../../db/children.ts';
import { dropPhotos, hasPhoto, keepPhoto } from '../../db/photos.ts';
import type { BarredAdultRow } from '../../db/schema.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { type KnownBar, readBars } from '../../hand-over/adults.ts';
import { contentsOf, photoOfBar } from '../../hand-over/inherited-bars.ts';
import { requireRightsOverChild } from '../../staff-rights.ts';
import { askerOf } from '../../vision/client.ts';
import { toStoredPhoto } from '../../vision/stored-photo.ts';
import { findKnown, lockSiblings, presentOne, recordBar } from './barred.ts';

/** One of the bars that a change is for. */
interface SameBar {
  readonly childId: string;
  readonly barId: string;
  readonly hadPhoto: boolean;
}

/**
 * Sets the photo of a barred adult. No face is computed from it: cameras look for nobody by it. Throws 404, `beyond_own_rights`,
 * `unreadable_photo`, 503.
 */
export async function setBarredPhoto(
  context: Context,
  actor: Actor,
  known: BarredAdultRow,
  photo: Buffer,
): Promise<BarredAdult> {
  const jpeg = await toStoredPhoto(context, askerOf(actor), photo);
  return inTransaction(context.db, async (tx) => {
    const bars = await lockSameBars(context, tx, actor, known);
    for (const { childId, barId } of bars)
      await keepPhoto(context, tx, photoOfBar(childId, barId), jpeg, context.clock.now());
    for (const { childId, barId } of bars)
      await recordBar(context, tx, actor, 'barred.photo_set', { childId, barId });
    return presentOne(context, tx, known);
  });
}

/** Removes the photo of a barred adult. Throws 404, `beyond_own_rights`. */
export async function removeBarredPhoto(
  context: Context,
  actor: Actor,
  known: BarredAdultRow,
): Promise<BarredAdult> {
  return inTransaction(context.db, async (tx) => {
    const bars = (await lockSameBars(context, tx, actor, known)).filter(({ hadPhoto }) => hadPhoto);
    for (const { childId, barId } of bars) await dropPhotos(tx, photoOfBar(childId, barId));
    for (const { childId, barId } of bars)
      await recordBar(context, tx, actor, 'barred.photo_removed', { childId, barId });
    return presentOne(context, tx, known);
  });
}

/**
 * Locks the children of the family that this facility knows, and finds the bars in force that say the same as this one, which is
 * among them: a court's order mostly names all children. A photo that is there may be changed only by somebody who could do so
 * wherever the child is known: the bar protects it there, too. Throws 404, `beyond_own_rights`.
 */
async function lockSameBars(
  context: Context,
  tx: Tx,
  actor: Actor,
  known: Pick<BarredAdultRow, 'id' | 'child_id'>,
): Promise<SameBar[]> {
  const child = await lockChild(tx.trx, known.child_id);
  if (!child) throw new AppError('not_found');
  const siblings = await lockSiblings(tx, child.parent_id);
  const own = await findKnown(context, tx, known);
  const said = await textsOf(context, tx, own);
  const bars: SameBar[] = [];
  for (const childId of new Set([known.child_id, ...siblings]))
    for (const bar of await readBars(context, tx.trx, childId)) {
      if (!(await textsOf(context, tx, bar)).some((text) => said.includes(text))) continue;
      const barId = bar.row.id;
      const hadPhoto = await hasPhoto(tx.trx, photoOfBar(childId, barId));
      if (hadPhoto) await requireRightsOverChild(tx.trx, actor, childId, 'families.edit');
      bars.push({ childId, barId, hadPhoto });
    }
  return bars;
}

/** What a bar and its copies say. */
async function textsOf(context: Context, tx: Tx, bar: KnownBar): Promise<string[]> {
  return (await contentsOf(context, tx, bar)).map((content) => JSON.stringify(content));
}
