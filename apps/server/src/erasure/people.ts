/** Erases a person (rows, photos, encodings, keys, sessions, links) and records the erasure. Checks no permission. */
import type { Transaction } from 'kysely';
import { dropAdultFace } from '../db/adult-faces.ts';
import { deleteBarsOf } from '../db/barred-adults.ts';
import { deleteCareCard } from '../db/care-cards.ts';
import { deleteCareEntries } from '../db/care-entries.ts';
import { deleteChildRow } from '../db/children.ts';
import { deleteCollector, deleteCollectorsOf } from '../db/collectors.ts';
import { destroyDataKey } from '../db/data-keys.ts';
import { deleteDeskCode } from '../db/desk-codes.ts';
import { deleteDeskEntriesOf } from '../db/desk-entries.ts';
import { deleteDetailChanges } from '../db/detail-changes.ts';
import { noteErasure } from '../db/erasures.ts';
import { advanceGallery } from '../db/gallery.ts';
import { deleteCountedChild } from '../db/head-counts.ts';
import { endKioskProofs } from '../db/kiosk-proofs.ts';
import { deleteKioskRequestsOf } from '../db/kiosk-requests.ts';
import { forgetPlaces } from '../db/known-places.ts';
import { deleteMemberships } from '../db/memberships.ts';
import { deleteNotificationsOf } from '../db/notification-people.ts';
import { deleteLinksOf } from '../db/oidc.ts';
import { endOneTimeTokens } from '../db/one-time-tokens.ts';
import { deleteParentRow } from '../db/parents.ts';
import { dropPhotos } from '../db/photos.ts';
import { deletePickupsOf } from '../db/pickups.ts';
import { deleteProposals } from '../db/proposals.ts';
import { deleteReleasesOf } from '../db/releases.ts';
import { deleteMovesOf } from '../db/room-moves.ts';
import { deletePresencesOf } from '../db/room-staff.ts';
import type { CollectorRow, Database } from '../db/schema.ts';
import { deleteFactorsOf } from '../db/second-factors.ts';
import { endSessionsOf } from '../db/session-ends.ts';
import { deleteStaffRow } from '../db/staff.ts';
import { endStaffPin } from '../db/staff-pins.ts';
import type { Tx } from '../db/transaction.ts';

/** Erases a child. Its past stays remain with only the id. `at`: milliseconds since 1970. */
export async function eraseChild(tx: Tx, id: string, at: number): Promise<void> {
  await dropPhotos(tx, { kind: 'child', id });
  await deleteProposals(tx.trx, 'child', [id]);
  await deleteDetailChanges(tx.trx, { subject_kind: 'child', subject_id: id });
  await deletePickupsOf(tx.trx, id);
  await deleteKioskRequestsOf(tx.trx, id);
  await deleteMovesOf(tx.trx, id);
  await deleteCountedChild(tx.trx, id);
  await deleteCollectorsOf(tx.trx, id);
  await deleteBarsOf(tx.trx, id);
  await deleteReleasesOf(tx.trx, id);
  await deleteCareCard(tx.trx, id);
  await deleteCareEntries(tx.trx, id);
  await deleteDeskEntriesOf(tx.trx, id);
  await destroyDataKey(tx.trx, 'child', id);
  await deleteChildRow(tx.trx, id);
  await noteErasure(tx.trx, { kind: 'child', id, at });
  await advanceGallery(tx.trx);
}

/** Erases somebody who could pick up a child, with photo and passes. `at`: milliseconds since 1970. */
export async function eraseCollector(
  tx: Tx,
  { id, child_id }: Pick<CollectorRow, 'id' | 'child_id'>,
  at: number,
): Promise<void> {
  await dropPhotos(tx, { kind: 'child', id: child_id, collectorId: id });
  await deleteCollector(tx.trx, id);
  await noteErasure(tx.trx, { kind: 'collector', id, at });
}

/** Erases a parent and all children, whose ids are `childIds`. */
export async function eraseParent(
  tx: Tx,
  id: string,
  childIds: readonly string[],
  at: number,
): Promise<void> {
  for (const childId of childIds) await eraseChild(tx, childId, at);
  await dropPhotos(tx, { kind: 'parent', id });
  await deleteProposals(tx.trx, 'parent', [id]);
  await deleteDetailChanges(tx.trx, { subject_kind: 'parent', subject_id: id });
  await dropAccount(tx.trx, { kind: 'parent', id }, at);
  await deleteDeskCode(tx.trx, id);
  await endKioskProofs(tx.trx, id);
  await destroyDataKey(tx.trx, 'parent', id);
  await deleteParentRow(tx.trx, id);
  await noteErasure(tx.trx, { kind: 'parent', id, at });
}

export async function eraseStaffMember(tx: Tx, id: string, at: number): Promise<void> {
  await dropPhotos(tx, { kind: 'admin', id });
  await dropAccount(tx.trx, { kind: 'admin', id }, at);
  await deleteMemberships(tx.trx, id);
  await endStaffPin(tx.trx, id);
  await deleteLinksOf(tx.trx, id);
  await deletePresencesOf(tx.trx, id);
  await destroyDataKey(tx.trx, 'admin', id);
  await deleteStaffRow(tx.trx, id);
  await noteErasure(tx.trx, { kind: 'admin', id, at });
}

async function dropAccount(
  trx: Transaction<Database>,
  account: { readonly kind: 'parent' | 'admin'; readonly id: string },
  at: number,
): Promise<void> {
  await endSessionsOf(trx, account.kind, account.id);
  await deleteFactorsOf(trx, account);
  await forgetPlaces(trx, account);
  await endOneTimeTokens(trx, account.kind, account.id, [
    'verify',
    'reset',
    'invitation',
    'disown',
    'email_change',
    'start',
  ]);
  await deleteNotificationsOf(trx, account);
  if (await dropAdultFace(trx, account, at)) await advanceGallery(trx);
}
