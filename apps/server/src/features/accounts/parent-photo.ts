/** The photo of a parent's account. */
import type { Actor, Visitor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { updateParentRow } from '../../db/parents.ts';
import { keepPhoto } from '../../db/photos.ts';
import type { Tx } from '../../db/transaction.ts';
import { roughNetworkOf } from '../../http/network.ts';
import { askerOf, LatePhotoError } from '../../vision/client.ts';
import { toStoredPhoto } from '../../vision/stored-photo.ts';
import { countLatePhoto } from './limits.ts';

/** Returns the photo in the form in which it is stored. Throws `unreadable_photo`, 503. Of visitors, those of a network take turns. */
export async function normalizePhoto(
  context: Context,
  actor: Actor | Visitor,
  photo: Buffer,
): Promise<Buffer> {
  if (actor.kind !== 'visitor') return toStoredPhoto(context, askerOf(actor), photo);
  const { origin } = actor;
  const key = roughNetworkOf(origin.address) ?? origin.address;
  try {
    return await toStoredPhoto(context, { kind: 'visitor', key }, photo);
  } catch (error) {
    if (error instanceof LatePhotoError) await countLatePhoto(context, origin);
    throw error;
  }
}

/** Replaces the photo. `jpeg` is the result of {@link normalizePhoto}. */
export async function setParentPhoto(context: Context, tx: Tx, id: string, jpeg: Buffer): Promise<void> {
  const photoId = await keepPhoto(context, tx, { kind: 'parent', id }, jpeg, context.clock.now());
  await updateParentRow(tx.trx, id, { photo_id: photoId });
}
