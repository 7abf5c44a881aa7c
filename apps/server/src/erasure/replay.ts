/** Repeats erasures and revocations that the data folder has recorded and the restore of an older database has undone. */
import type { Kysely } from 'kysely';
import { dropAdultFaceById } from '../db/adult-faces.ts';
import type { AuditTrail } from '../db/audit.ts';
import { endHomeAssistantAccountsOf } from '../db/broker-accounts.ts';
import { ERASED_KINDS, type ErasedKind } from '../db/erased-kinds.ts';
import { type Erasure, findReturned, noteErasure } from '../db/erasures.ts';
import { advanceGallery } from '../db/gallery.ts';
import { passOnChildren } from '../db/guardians.ts';
import type { Database } from '../db/schema.ts';
import { endStaysOf } from '../db/stays.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { type DeviceKind, isDeviceKind, revokeAgain } from './devices.ts';
import { eraseChild, eraseParent, eraseStaffMember } from './people.ts';

const AT_ONCE = 200;

export interface Replayed {
  /** People and faces that were erased again. */
  readonly people: number;
  /** Keys of devices and accounts that were revoked again. */
  readonly keys: number;
}

/** Each repeated erasure gets an audit row. */
export async function replayErasures(
  db: Kysely<Database>,
  audit: AuditTrail,
  erasures: readonly Erasure[],
): Promise<Replayed> {
  const replayed = { people: 0, keys: 0 };
  for (const kind of ERASED_KINDS) {
    const ofKind = erasures.filter((erasure) => erasure.kind === kind);
    for (let from = 0; from < ofKind.length; from += AT_ONCE)
      for (const erasure of await findReturned(db, kind, ofKind.slice(from, from + AT_ONCE)))
        if (await inTransaction(db, (tx) => again(tx, audit, erasure, kind)))
          replayed[isDeviceKind(kind) ? 'keys' : 'people']++;
  }
  return replayed;
}

function again(tx: Tx, audit: AuditTrail, erasure: Erasure, kind: ErasedKind): Promise<boolean> {
  return isDeviceKind(kind) ? revokeAgain(tx, audit, kind, erasure) : eraseAgain(tx, audit, kind, erasure);
}

async function eraseAgain(
  tx: Tx,
  audit: AuditTrail,
  kind: Exclude<ErasedKind, DeviceKind>,
  { id, at }: Erasure,
): Promise<boolean> {
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
  if (kind === 'admin') {
    await endHomeAssistantAccountsOf(tx.trx, id, at);
    await eraseStaffMember(tx, id, at);
    await audit.append(tx, { actor: null, action: 'admin.deleted', subject: { kind, id }, details });
    return true;
  }
  // A child with another guardian was passed on, and its own erasure, if any, is another record.
  const childIds = kind === 'child' ? [id] : await passOnChildren(tx.trx, id, at);
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
