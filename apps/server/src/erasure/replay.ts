/** Repeats erasures and revocations that the data folder has recorded and the restore of an older database has undone. */
import type { Kysely, Transaction } from 'kysely';
import { dropAdultFaceById } from '../db/adult-faces.ts';
import type { AuditTrail } from '../db/audit.ts';
import { endHomeAssistantAccountsOf } from '../db/broker-accounts.ts';
import { lockChild } from '../db/children.ts';
import { endCollectorsOf, findCollector } from '../db/collectors.ts';
import { ERASED_KINDS, type ErasedKind } from '../db/erased-kinds.ts';
import { type Erasure, findReturned, noteErasure } from '../db/erasures.ts';
import { advanceGallery } from '../db/gallery.ts';
import { findFurtherChildIds, lockChildrenOf } from '../db/guardians/children-of.ts';
import { endGuardian, passOnToAnybody } from '../db/guardians/ends.ts';
import { dropPickupsBy } from '../db/pickups.ts';
import { renewSlip } from '../db/releases.ts';
import type { Database } from '../db/schema.ts';
import { endStaysOf } from '../db/stays.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { type DeviceKind, isDeviceKind, revokeAgain } from './devices.ts';
import { eraseChild, eraseCollector, eraseParent, eraseStaffMember } from './people.ts';

const AT_ONCE = 200;

export interface Replayed {
  /** People and faces that were erased again. */
  readonly people: number;
  /** Keys of devices and accounts that were revoked again. */
  readonly keys: number;
}

interface Parts {
  readonly db: Kysely<Database>;
  readonly audit: AuditTrail;
  /** Whether an account must not take over a child. May throw: then it must not. */
  readonly isBarred: (trx: Transaction<Database>, childId: string, parentId: string) => Promise<boolean>;
}

/** Each repeated erasure gets an audit row. */
export async function replayErasures(parts: Parts, erasures: readonly Erasure[]): Promise<Replayed> {
  const { db } = parts;
  const replayed = { people: 0, keys: 0 };
  for (const kind of ERASED_KINDS) {
    const ofKind = erasures.filter((erasure) => erasure.kind === kind);
    for (let from = 0; from < ofKind.length; from += AT_ONCE)
      for (const erasure of await findReturned(db, kind, ofKind.slice(from, from + AT_ONCE)))
        if (await inTransaction(db, (tx) => again(tx, parts, erasure, kind)))
          replayed[isDeviceKind(kind) ? 'keys' : 'people']++;
  }
  return replayed;
}

function again(tx: Tx, parts: Parts, erasure: Erasure, kind: ErasedKind): Promise<boolean> {
  return isDeviceKind(kind)
    ? revokeAgain(tx, parts.audit, kind, erasure)
    : eraseAgain(tx, parts, kind, erasure);
}

/**
 * Passes the children of a parent who is erased again on, and returns the ids of those who have nobody else, sorted. The others were
 * passed on when the parent was deleted, perhaps to somebody who got the right, or accepted, after the backup: then to whoever is
 * left, and staff decide. Who has not accepted sees nothing. What the account had entered by which somebody takes a child ends again, also
 * of children whose further guardian it is.
 */
async function passOnAgain(tx: Tx, parts: Parts, parentId: string, at: number): Promise<string[]> {
  const { trx } = tx;
  const left: string[] = [];
  // Bars that cannot be read bar everybody; the child is not lost with its key.
  const mayTakeOver = async (childId: string, other: string) =>
    !(await parts.isBarred(trx, childId, other).catch(() => true));
  for (const childId of (await lockChildrenOf(trx, parentId)).sort()) {
    const pair = { childId, parentId };
    const end = await endGuardian(trx, pair, { by: parentId, at, mayTakeOver });
    if (end !== 'ended' && !(await passOnToAnybody(trx, pair))) left.push(childId);
    else await withdrawAgain(tx, pair, at);
  }
  // Of those just passed on it is a guardian no more.
  for (const childId of await findFurtherChildIds(trx, parentId)) {
    await lockChild(trx, childId);
    await withdrawAgain(tx, { childId, parentId }, at);
  }
  return left;
}

/** Ends whom an account has named for a child that is locked, with their passes, its announced pick-up, and printed slips. */
async function withdrawAgain(
  { trx }: Tx,
  { childId, parentId }: { readonly childId: string; readonly parentId: string },
  at: number,
): Promise<void> {
  await endCollectorsOf(trx, { namedBy: parentId, childId, isAll: true }, at);
  await dropPickupsBy(trx, childId, parentId);
  await renewSlip(trx, childId);
}

async function eraseAgain(
  tx: Tx,
  parts: Parts,
  kind: Exclude<ErasedKind, DeviceKind>,
  { id, at }: Erasure,
): Promise<boolean> {
  const { audit } = parts;
  const details = { replayed: true };
  if (kind === 'adult_face') {
    const account = await dropAdultFaceById(tx.trx, id);
    if (!account) return false;
    await advanceGallery(tx.trx);
    await noteErasure(tx.trx, { kind, id, at });
    await audit.append(tx, {
      actor: null,
      action: `${account.kind}.recognition_off`,
      subject: { kind: account.kind, id: account.id },
      details,
    });
    return true;
  }
  if (kind === 'collector') {
    const collector = await findCollector(tx.trx, id);
    if (!collector) return false;
    await eraseCollector(tx, collector, at);
    await audit.append(tx, {
      actor: null,
      action: 'collector.erased',
      subject: { kind: 'child', id: collector.child_id },
      details: { ...details, collectorId: id },
    });
    return true;
  }
  if (kind === 'admin') {
    await endHomeAssistantAccountsOf(tx.trx, id, at);
    await eraseStaffMember(tx, id, at);
    await audit.append(tx, { actor: null, action: 'admin.deleted', subject: { kind, id }, details });
    return true;
  }
  const childIds = kind === 'child' ? [id] : await passOnAgain(tx, parts, id, at);
  // A child inside cannot be deleted, so a stay that is open in the older copy had ended by then.
  await endStaysOf(tx.trx, childIds, at);
  if (kind === 'child') await eraseChild(tx, id, at);
  else await eraseParent(tx, id, childIds, at);
  await audit.append(tx, {
    actor: null,
    action: kind === 'child' ? 'child.deleted' : 'parent.deleted',
    subject: { kind, id },
    details: kind === 'child' ? details : { ...details, children: childIds },
  });
  return true;
}
