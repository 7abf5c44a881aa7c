/** The own name and photo of a staff member. */
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findAdultState } from '../../db/adult-faces.ts';
import { destroyDataKey, eraseDestroyedKeys } from '../../db/data-keys.ts';
import { dropPhotos, keepPhoto } from '../../db/photos.ts';
import { lockStaffMember, updateStaffDetails, updateStaffRow } from '../../db/staff.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { countProfileChange } from './limits.ts';
import { normalizePhoto } from './parent-photo.ts';

export interface OwnProfileChange {
  readonly name?: string | undefined;
  /** Uploaded photo, not yet normalized. */
  readonly photo?: Buffer | undefined;
}

/**
 * Changes the caller's name or photo. Throws `invalid_request` for nothing, `too_many_attempts`, `unreadable_photo`,
 * 503.
 */
export async function updateOwnProfile(
  context: Context,
  actor: Actor,
  { name, photo }: OwnProfileChange,
): Promise<void> {
  if (name === undefined && photo === undefined)
    throw new AppError('invalid_request', { message: 'Nothing to change was sent' });
  await countProfileChange(context, actor, { photo: photo !== undefined });
  const jpeg = photo && (await normalizePhoto(context, actor, photo));
  await inTransaction(context.db, async (tx) => {
    const member = await lockStaffMember(tx.trx, actor.id);
    if (!member) throw new AppError('unauthenticated');
    if (name !== undefined) await updateStaffDetails(tx.trx, member.id, { name, email: member.email });
    if (jpeg) {
      const photoId = await keepPhoto(
        context,
        tx,
        { kind: 'admin', id: actor.id },
        jpeg,
        context.clock.now(),
      );
      await updateStaffRow(tx.trx, actor.id, { photo_id: photoId });
    }
    await record(context, tx, actor, [
      ...(name === undefined ? [] : ['name']),
      ...(jpeg === undefined ? [] : ['photo']),
    ]);
  });
}

/** Deletes the caller's photo, and the key that sealed it unless the cameras need it. Does nothing if there is none. */
export async function removeOwnPhoto(context: Context, actor: Actor): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const member = await lockStaffMember(tx.trx, actor.id);
    if (!member) throw new AppError('unauthenticated');
    if (member.photo_id === null) return;
    const account = { kind: 'admin', id: actor.id } as const;
    await updateStaffRow(tx.trx, actor.id, { photo_id: null });
    await dropPhotos(tx, account);
    if ((await findAdultState(tx.trx, account)) === undefined)
      await destroyDataKey(tx.trx, 'admin', actor.id);
    await record(context, tx, actor, ['photo']);
  });
  await eraseDestroyedKeys(context);
}

async function record(context: Context, tx: Tx, actor: Actor, fields: readonly string[]): Promise<void> {
  await context.audit.append(tx, {
    actor,
    action: 'admin.updated',
    subject: { kind: 'admin', id: actor.id },
    details: { fields: [...fields] },
  });
  await context.events.append(tx, { type: 'admin.updated' });
}
