/** Applies accepted proposals to the row, the photo and the encodings; decide.ts checks them first. */

import { PHOTOS_PER_CHILD } from '@haris/contract/constants';
import type { RecognitionProblem } from '@haris/contract/http/recognition';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { findAdultState, keepAdultFace, keepAdultProblem } from '../db/adult-faces.ts';
import { findChild, renameChild, setBirthDate, setChildPhoto } from '../db/children.ts';
import { findDataKey } from '../db/data-keys.ts';
import { noteDetailChanges } from '../db/detail-changes.ts';
import { openEncoding } from '../db/encoding.ts';
import { countEncodings, deleteEncodings, insertEncoding } from '../db/face-encodings.ts';
import { advanceGallery } from '../db/gallery.ts';
import { findParent, updateParentDetails } from '../db/parents.ts';
import { dropUnshownPhotos } from '../db/photos.ts';
import type { ProposalRow } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';

/**
 * Applies proposals to a child that the transaction has locked; their name and photo are then confirmed. If they include a
 * face, the caller advances the gallery. `now`: milliseconds since 1970.
 */
export async function applyToChild(
  tx: Tx,
  id: string,
  proposals: readonly ProposalRow[],
  now: number,
): Promise<void> {
  const { trx } = tx;
  const before = await findChild(trx, id);
  // A child that was never confirmed shows the proposed values already.
  const changed = proposals.flatMap(({ field, value, photo_id: photo }) => {
    if (field === 'name') return value === before?.name ? [] : (['name'] as const);
    return field === 'photo' && photo !== before?.photo_id ? (['photo'] as const) : [];
  });
  await noteDetailChanges(trx, { subject_kind: 'child', subject_id: id }, changed, now);
  for (const proposal of proposals) {
    const { field, value, photo_id } = proposal;
    if (field === 'name' && value !== null) await renameChild(trx, id, value, now);
    if (field === 'birthDate') await setBirthDate(trx, id, value);
    if (field !== 'photo') continue;
    await setChildPhoto(trx, id, photo_id, now);
    // A new photo replaces all earlier encodings.
    await deleteEncodings(trx, id);
    await keepEncoding(tx, id, proposal);
  }
  for (const proposal of proposals) if (proposal.field === 'photos') await keepEncoding(tx, id, proposal);
  await dropUnshownPhotos(tx, { kind: 'child', id });
}

/** Copies the sealed encoding unchanged: it is bound to the proposal's id, which the new row also uses. */
async function keepEncoding({ trx }: Tx, childId: string, proposal: ProposalRow): Promise<void> {
  const { id, sealed, model, quality, created_at } = proposal;
  if (!sealed || model === null || quality === null) return;
  if ((await countEncodings(trx, childId)) >= PHOTOS_PER_CHILD) return;
  await insertEncoding(trx, { id, child_id: childId, sealed, model, quality, created_at });
}

/** Applies proposals to a parent's account that the transaction has locked. `at`: milliseconds since 1970. */
export async function applyToAccount(
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  proposals: readonly ProposalRow[],
  at: number,
): Promise<void> {
  const { trx } = tx;
  const of = (field: ProposalRow['field']) => proposals.find((one) => one.field === field);
  const row = await findParent(trx, id);
  if (!row) throw new AppError('not_found');
  const name = of('name')?.value ?? row.name;
  const phone = of('phone')?.value ?? row.phone;
  const photoId = of('photo')?.photo_id ?? row.photo_id;
  await updateParentDetails(trx, id, { name, email: row.email, phone }, { photo_id: photoId });
  const changed = [
    ...(name === row.name ? [] : (['name'] as const)),
    ...(phone === row.phone ? [] : (['phone'] as const)),
    ...(photoId === row.photo_id ? [] : (['photo'] as const)),
  ];
  await noteDetailChanges(trx, { subject_kind: 'parent', subject_id: id }, changed, at);
  await dropUnshownPhotos(tx, { kind: 'parent', id });
  const recognition = of('recognition');
  if (recognition) await applyRecognition(context, tx, actor, id, recognition);
}

async function applyRecognition(
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  { id: proposalId, sealed, model, quality, value }: ProposalRow,
): Promise<void> {
  const account = { kind: 'parent', id } as const;
  const state = await findAdultState(tx.trx, account);
  const key = await findDataKey(tx.trx, context.vault, 'parent', id);
  const now = context.clock.now();
  if (sealed && key && model !== null && quality !== null) {
    const encoding = openEncoding(key, proposalId, sealed);
    await keepAdultFace(context, tx.trx, account, { encoding, model, quality }, state?.since ?? now);
    if (state?.since == null)
      await context.audit.append(tx, { actor, action: 'parent.recognition_on', subject: account });
    return;
  }
  await keepAdultProblem(tx.trx, account, value as RecognitionProblem, now);
  await advanceGallery(tx.trx);
  await context.audit.append(tx, {
    actor,
    action: 'parent.recognition_off',
    subject: account,
    details: { because: value },
  });
}
