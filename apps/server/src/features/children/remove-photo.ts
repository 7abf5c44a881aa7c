/** Removes a further photo of a child's face; the displayed photo can only be replaced. */
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { lockChild } from '../../db/children.ts';
import { deleteEncoding, findEncodingTimes } from '../../db/face-encodings.ts';
import { advanceGallery } from '../../db/gallery.ts';
import { inTransaction } from '../../db/transaction.ts';

/**
 * Deletes the encoding of a further photo, and returns how many photos the child still has. Throws 404 (also for
 * another child's photo), `last_photo` for the displayed one.
 */
export async function removePhoto(
  context: Context,
  actor: Actor,
  childId: string,
  photoId: string,
): Promise<number> {
  return inTransaction(context.db, async (tx) => {
    const child = await lockChild(tx.trx, childId);
    if (!child) throw new AppError('not_found');
    const photos = await findEncodingTimes(tx.trx, childId);
    if (photos[0]?.id === photoId) throw new AppError('last_photo');
    if (!(await deleteEncoding(tx.trx, childId, photoId))) throw new AppError('not_found');
    await advanceGallery(tx.trx);
    await context.audit.append(tx, {
      actor,
      action: 'child.photo_removed',
      subject: { kind: 'child', id: childId },
      details: { photos: photos.length - 1 },
    });
    await context.events.append(tx, {
      type: 'child.updated',
      childId,
      parentId: child.parent_id,
      audience: 'guardians',
    });
    return photos.length - 1;
  });
}
