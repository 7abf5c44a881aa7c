/** Erases a person: rows, photos, encodings, keys, sessions and links, with a note of it. Asks nobody whether it may. */
import type { Transaction } from 'kysely';
import { destroyDataKey } from '../db/data-keys.ts';
import { noteErasure } from '../db/erasures.ts';
import { forgetPlaces } from '../db/known-places.ts';
import { deleteNoticesOf } from '../db/notice-people.ts';
import { endOneTimeTokens } from '../db/one-time-tokens.ts';
import { dropPhotos } from '../db/photos.ts';
import { deleteProposals } from '../db/proposals.ts';
import type { Database } from '../db/schema.ts';
import { endSessionsOf } from '../db/sessions.ts';
import type { Tx } from '../db/transaction.ts';
import { dropAdultFace } from '../vision/adults.ts';
import { advanceGallery } from '../vision/gallery.ts';

/** The child's past stays remain, by id. `at`: milliseconds since 1970. */
export async function eraseChild(tx: Tx, id: string, at: number): Promise<void> {
  await dropPhotos(tx, { kind: 'child', id });
  await deleteProposals(tx.trx, 'child', [id]);
  await destroyDataKey(tx.trx, 'child', id);
  await tx.trx.deleteFrom('children').where('id', '=', id).execute();
  await noteErasure(tx.trx, { kind: 'child', id, at });
  await advanceGallery(tx.trx);
}

/** The children of the parent too; `childIds` are all of them. */
export async function eraseParent(
  tx: Tx,
  id: string,
  childIds: readonly string[],
  at: number,
): Promise<void> {
  for (const childId of childIds) await eraseChild(tx, childId, at);
  await dropPhotos(tx, { kind: 'parent', id });
  await deleteProposals(tx.trx, 'parent', [id]);
  await dropAccount(tx.trx, { kind: 'parent', id }, at);
  await tx.trx.deleteFrom('desk_codes').where('parent_id', '=', id).execute();
  await destroyDataKey(tx.trx, 'parent', id);
  await tx.trx.deleteFrom('parents').where('id', '=', id).execute();
  await noteErasure(tx.trx, { kind: 'parent', id, at });
}

export async function eraseAdmin(tx: Tx, id: string, at: number): Promise<void> {
  await dropAccount(tx.trx, { kind: 'admin', id }, at);
  await tx.trx.deleteFrom('admins').where('id', '=', id).execute();
  await noteErasure(tx.trx, { kind: 'admin', id, at });
}

async function dropAccount(
  trx: Transaction<Database>,
  account: { readonly kind: 'parent' | 'admin'; readonly id: string },
  at: number,
): Promise<void> {
  await endSessionsOf(trx, account.kind, account.id);
  await forgetPlaces(trx, account);
  await endOneTimeTokens(trx, account.kind, account.id, ['verify', 'reset', 'invitation', 'disown']);
  await deleteNoticesOf(trx, account);
  if (await dropAdultFace(trx, account, at)) await advanceGallery(trx);
}
