/** Erases again what the data folder knows to be erased and an older copy of the database has brought back. */
import type { Kysely } from 'kysely';
import type { AuditTrail } from '../db/audit.ts';
import { type Erasure, noteErasure } from '../db/erasures.ts';
import type { Database } from '../db/schema.ts';
import { endHomeAssistantAccountsOf } from '../db/sensors.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { dropAdultFaceById } from '../vision/adults.ts';
import { advanceGallery } from '../vision/gallery.ts';
import { eraseAdmin, eraseChild, eraseParent } from './people.ts';

const AT_ONCE = 200;

/** Answers how many people and faces had come back and are gone again; each is a row of the audit log. */
export async function replayErasures(
  db: Kysely<Database>,
  audit: AuditTrail,
  erasures: readonly Erasure[],
): Promise<number> {
  let replayed = 0;
  // Deleting a parent deletes the children too.
  for (const kind of ['parent', 'child', 'admin', 'adult_face'] as const) {
    const ofKind = erasures.filter((erasure) => erasure.kind === kind);
    for (let from = 0; from < ofKind.length; from += AT_ONCE)
      for (const erasure of await findReturned(db, kind, ofKind.slice(from, from + AT_ONCE)))
        if (await inTransaction(db, (tx) => eraseAgain(tx, audit, erasure))) replayed++;
  }
  return replayed;
}

const TABLES = { parent: 'parents', child: 'children', admin: 'admins', adult_face: 'adult_faces' } as const;

async function findReturned(
  db: Kysely<Database>,
  kind: Erasure['kind'],
  erasures: readonly Erasure[],
): Promise<Erasure[]> {
  const ids = erasures.map((erasure) => erasure.id);
  const rows = await db.selectFrom(TABLES[kind]).select('id').where('id', 'in', ids).execute();
  const there = new Set(rows.map((row) => row.id));
  return erasures.filter((erasure) => there.has(erasure.id));
}

async function eraseAgain(tx: Tx, audit: AuditTrail, { kind, id, at }: Erasure): Promise<boolean> {
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
    await endHomeAssistantAccountsOf(tx.trx, id);
    await eraseAdmin(tx, id, at);
    await audit.append(tx, { actor: null, action: 'admin.deleted', subject: { kind, id }, details });
    return true;
  }
  const childIds = kind === 'child' ? [id] : await findChildren(tx, id);
  await endStays(tx, childIds, at);
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

async function findChildren({ trx }: Tx, parentId: string): Promise<string[]> {
  const rows = await trx.selectFrom('children').select('id').where('parent_id', '=', parentId).execute();
  return rows.map((row) => row.id);
}

/** Only who was outside could be deleted: a stay that is open in an older copy had ended by then. */
async function endStays({ trx }: Tx, childIds: readonly string[], at: number): Promise<void> {
  if (childIds.length === 0) return;
  await trx
    .updateTable('stays')
    .set({ exit_time: at })
    .where('child_id', 'in', [...childIds])
    .where('exit_time', 'is', null)
    .execute();
}
