/** What an accepted proposal changes: the row, the photo, the faces that the cameras know. Decides nothing. */

import { PHOTOS_PER_CHILD } from '@haris/contract/constants';
import type { RecognitionProblem } from '@haris/contract/http/recognition';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { findDataKey } from '../db/data-keys.ts';
import { foldForSearch } from '../db/folding.ts';
import { searchText } from '../db/parents.ts';
import { dropPhotos } from '../db/photos.ts';
import type { ProposalSubject } from '../db/proposals.ts';
import type { ProposalRow } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import { findAdultState, keepAdultFace, keepAdultProblem } from '../vision/adults.ts';
import { openEncoding } from '../vision/encoding.ts';
import { advanceGallery } from '../vision/gallery.ts';

/** Gives a child, which the transaction has taken, what waits. The caller advances the gallery where a face is among it. */
export async function applyToChild(tx: Tx, id: string, proposals: readonly ProposalRow[]): Promise<void> {
  const { trx } = tx;
  for (const proposal of proposals) {
    const { field, value, photo_id } = proposal;
    if (field === 'name' && value !== null)
      await trx
        .updateTable('children')
        .set({ name: value, sort_name: foldForSearch(value) })
        .where('id', '=', id)
        .execute();
    if (field !== 'photo') continue;
    await trx.updateTable('children').set({ photo_id }).where('id', '=', id).execute();
    // A new photo starts anew: what it is known by are this and the photos that come after it.
    await trx.deleteFrom('face_encodings').where('child_id', '=', id).execute();
    await keepEncoding(tx, id, proposal);
  }
  for (const proposal of proposals) if (proposal.field === 'photos') await keepEncoding(tx, id, proposal);
  await dropOtherPhotos(tx, { kind: 'child', id });
}

/** The sealed encoding goes over as it is: it is bound to the proposal's id, which the new row keeps. */
async function keepEncoding({ trx }: Tx, childId: string, proposal: ProposalRow): Promise<void> {
  const { id, sealed, model, quality, created_at } = proposal;
  if (!sealed || model === null || quality === null) return;
  const { count } = await trx
    .selectFrom('face_encodings')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('child_id', '=', childId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= PHOTOS_PER_CHILD) return;
  const row = { id, child_id: childId, sealed, model, quality, created_at };
  await trx.insertInto('face_encodings').values(row).execute();
}

/** Gives a parent's account, which the transaction has taken, what waits. */
export async function applyToAccount(
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  proposals: readonly ProposalRow[],
): Promise<void> {
  const { trx } = tx;
  const of = (field: ProposalRow['field']) => proposals.find((one) => one.field === field);
  const row = await trx
    .selectFrom('parents')
    .select(['name', 'email', 'phone', 'photo_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const name = of('name')?.value ?? row.name;
  const phone = of('phone')?.value ?? row.phone;
  await trx
    .updateTable('parents')
    .set({
      name,
      phone,
      photo_id: of('photo')?.photo_id ?? row.photo_id,
      sort_name: foldForSearch(name),
      search_text: searchText([name, row.email, phone]),
    })
    .where('id', '=', id)
    .execute();
  await dropOtherPhotos(tx, { kind: 'parent', id });
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

/** Nothing waits any more: of the owner's photos only the one that is shown stays. */
export async function dropOtherPhotos(tx: Tx, { kind, id }: ProposalSubject): Promise<void> {
  const shown = await tx.trx
    .selectFrom(kind === 'child' ? 'children' : 'parents')
    .select('photo_id')
    .where('id', '=', id)
    .executeTakeFirst();
  const except = shown?.photo_id ?? null;
  await dropPhotos(tx, { kind, id }, except === null ? {} : { except });
}
