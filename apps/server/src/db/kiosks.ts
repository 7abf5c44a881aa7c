/** Kiosks and desk tablets: their names, pairing codes, and the tokens of their devices. */

import type { DeviceKind } from '@haris/contract/http/kiosk';
import { foldForSearch } from '@haris/contract/search/folding';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Vault } from '../vault/vault.ts';
import { deleteDeskTickets } from './desk-tickets.ts';
import { believed, type Covered, sealed } from './row-seals.ts';
import type { Database } from './schema.ts';
import { endSessionsAtDesk } from './session-ends.ts';

type KioskPairingRow = Selectable<Database['kiosk_pairings']>;
type Reader = Kysely<Database> | Transaction<Database>;

/** A kiosk or desk tablet with its device, if one is paired. */
export interface KioskView {
  readonly id: string;
  readonly kind: DeviceKind;
  readonly facility_id: string;
  readonly name: string;
  readonly paired_at: number | null;
  readonly last_used_at: number | null;
}

function kiosks(db: Reader) {
  return db
    .selectFrom('kiosks')
    .leftJoin('kiosk_devices', 'kiosk_devices.kiosk_id', 'kiosks.id')
    .select([
      'kiosks.id',
      'kiosks.kind',
      'kiosks.facility_id',
      'kiosks.name',
      'kiosk_devices.paired_at',
      'kiosk_devices.last_used_at',
    ]);
}

/** All kiosks, by name. */
export async function findKiosks(db: Reader): Promise<KioskView[]> {
  return kiosks(db).orderBy('kiosks.sort_name').orderBy('kiosks.id').execute();
}

export async function findKiosk(db: Reader, id: string): Promise<KioskView | undefined> {
  return kiosks(db).where('kiosks.id', '=', id).executeTakeFirst();
}

/** Whether any device of this kind is paired. */
export async function hasPairedDevice(db: Reader, kind: DeviceKind): Promise<boolean> {
  const row = await kiosks(db)
    .where('kiosks.kind', '=', kind)
    .where('kiosk_devices.paired_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertKiosk(
  trx: Transaction<Database>,
  {
    id,
    kind,
    name,
    createdAt,
  }: { readonly id: string; readonly kind: DeviceKind; readonly name: string; readonly createdAt: number },
): Promise<void> {
  await trx
    .insertInto('kiosks')
    .values({ id, kind, name, sort_name: foldForSearch(name), created_at: createdAt })
    .execute();
}

/** Renames a kiosk. Returns false if it is gone. */
export async function renameKiosk(trx: Transaction<Database>, id: string, name: string): Promise<boolean> {
  const row = await trx
    .updateTable('kiosks')
    .set({ name, sort_name: foldForSearch(name) })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks a kiosk until the transaction ends, on both databases. Returns false if it is gone. */
export async function lockKiosk(trx: Transaction<Database>, id: string): Promise<boolean> {
  const row = await trx
    .updateTable('kiosks')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes a kiosk with its code, its device and the grants made there. */
export async function deleteKioskRow(trx: Transaction<Database>, id: string): Promise<void> {
  await unpairKiosk(trx, id);
  await trx.deleteFrom('kiosk_pairings').where('kiosk_id', '=', id).execute();
  await trx.deleteFrom('kiosks').where('id', '=', id).execute();
}

/** Ends the token of a device, the grants made there, and the session at a desk tablet. */
export async function unpairKiosk(trx: Transaction<Database>, id: string): Promise<void> {
  await endSessionsAtDesk(trx, id);
  await deleteDeskTickets(trx, { deskId: id });
  await trx.deleteFrom('kiosk_devices').where('kiosk_id', '=', id).execute();
  await trx.deleteFrom('kiosk_grants').where('kiosk_id', '=', id).execute();
}

/** Stores the pairing code of a kiosk; an older code stops working. */
export async function replaceKioskPairing(trx: Transaction<Database>, row: KioskPairingRow): Promise<void> {
  const { kiosk_id, ...values } = row;
  await trx
    .insertInto('kiosk_pairings')
    .values({ kiosk_id, ...values })
    .onConflict((conflict) => conflict.column('kiosk_id').doUpdateSet(values))
    .execute();
}

/** Deletes a pairing code of this kind and returns its row, so that a code works once. */
export async function consumeKioskPairing(
  trx: Transaction<Database>,
  codeMac: string,
  kind: DeviceKind,
): Promise<Pick<KioskPairingRow, 'kiosk_id' | 'expires_at'> | undefined> {
  return trx
    .deleteFrom('kiosk_pairings')
    .where('code_mac', '=', codeMac)
    .where('kiosk_id', 'in', (eb) => eb.selectFrom('kiosks').select('id').where('kind', '=', kind))
    .returning(['kiosk_id', 'expires_at'])
    .executeTakeFirst();
}

/** Stores the device of a kiosk; the token of an older device stops working. */
export async function insertKioskDevice(
  trx: Transaction<Database>,
  vault: Vault,
  row: Covered<'kiosk_devices'>,
): Promise<void> {
  await unpairKiosk(trx, row.kiosk_id);
  await trx
    .insertInto('kiosk_devices')
    .values({ ...sealed(vault, 'kiosk_devices', row), last_used_at: null })
    .execute();
}

/** The kiosk or desk tablet that a device token belongs to. */
export async function findKioskByToken(
  db: Reader,
  vault: Vault,
  tokenHash: string,
): Promise<KioskView | undefined> {
  const found = await db
    .selectFrom('kiosk_devices')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  const device = believed(vault, 'kiosk_devices', found);
  return device && findKiosk(db, device.kiosk_id);
}

/** Records that a device was used. `now`: milliseconds since 1970. */
export async function markKioskUsed(db: Reader, kioskId: string, now: number): Promise<void> {
  await db.updateTable('kiosk_devices').set({ last_used_at: now }).where('kiosk_id', '=', kioskId).execute();
}
