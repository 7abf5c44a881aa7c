/** Devices that are cameras: pairing codes, tokens of paired devices, and each device's current connection. */
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Vault } from '../vault/vault.ts';
import { noteErasure, pairingId } from './erasures.ts';
import { believed, type Covered, sealed } from './row-seals.ts';
import type { Database } from './schema.ts';

type CameraDeviceRow = Selectable<Database['camera_devices']>;
type CameraPairingRow = Selectable<Database['camera_pairings']>;
type Reader = Kysely<Database> | Transaction<Database>;

/** Ids of the cameras that a device was paired with. */
export async function findPairedCameras(db: Reader): Promise<Set<string>> {
  const rows = await db.selectFrom('camera_devices').select('camera_id').execute();
  return new Set(rows.map((row) => row.camera_id));
}

/** Deletes the pairing code of a camera, which stops working. */
export async function deletePairingCode(trx: Transaction<Database>, cameraId: string): Promise<void> {
  await trx.deleteFrom('camera_pairings').where('camera_id', '=', cameraId).execute();
}

/** Unpairs the device of a camera: its token stops working. Records it; `at`: milliseconds since 1970. */
export async function endDevice(trx: Transaction<Database>, cameraId: string, at: number): Promise<void> {
  const ended = await trx
    .deleteFrom('camera_devices')
    .where('camera_id', '=', cameraId)
    .returning(['camera_id', 'paired_at'])
    .executeTakeFirst();
  if (ended) await noteErasure(trx, { kind: 'camera_device', id: pairingId(ended), at });
}

/** Stores the pairing code of a camera; an older code stops working. */
export async function replacePairingCode(trx: Transaction<Database>, row: CameraPairingRow): Promise<void> {
  const { camera_id, ...values } = row;
  await trx
    .insertInto('camera_pairings')
    .values({ camera_id, ...values })
    .onConflict((conflict) => conflict.column('camera_id').doUpdateSet(values))
    .execute();
}

/** Deletes a pairing code and returns its row, so that a code works once. */
export async function consumePairingCode(
  trx: Transaction<Database>,
  codeMac: string,
): Promise<Pick<CameraPairingRow, 'camera_id' | 'expires_at'> | undefined> {
  return trx
    .deleteFrom('camera_pairings')
    .where('code_mac', '=', codeMac)
    .returning(['camera_id', 'expires_at'])
    .executeTakeFirst();
}

/** Stores the device of a camera; the token of an older device stops working. The pairing code is consumed before. */
export async function replaceDevice(
  trx: Transaction<Database>,
  vault: Vault,
  row: Covered<'camera_devices'>,
): Promise<void> {
  await endDevice(trx, row.camera_id, row.paired_at);
  await trx
    .insertInto('camera_devices')
    .values({ ...sealed(vault, 'camera_devices', row), connection: null })
    .execute();
}

function devicesOfBrowserCameras(db: Reader) {
  return db
    .selectFrom('camera_devices')
    .innerJoin('cameras', 'cameras.id', 'camera_devices.camera_id')
    .where('cameras.kind', '=', 'browser');
}

/** The camera that a device token belongs to, of the kind `browser`. */
export async function findCameraOfDevice(
  db: Reader,
  vault: Vault,
  tokenHash: string,
): Promise<string | undefined> {
  const row = await devicesOfBrowserCameras(db)
    .selectAll('camera_devices')
    .where('camera_devices.token_hash', '=', tokenHash)
    .executeTakeFirst();
  return believed(vault, 'camera_devices', row)?.camera_id;
}

/** All devices of cameras of the kind `browser`. */
export async function findDevices(
  db: Reader,
): Promise<Pick<CameraDeviceRow, 'camera_id' | 'token_hash' | 'connection'>[]> {
  return devicesOfBrowserCameras(db)
    .select(['camera_devices.camera_id', 'camera_devices.token_hash', 'camera_devices.connection'])
    .execute();
}

/** Makes a connection the current one of its camera. Returns false if the token has stopped working. */
export async function setDeviceConnection(
  db: Reader,
  device: { readonly cameraId: string; readonly tokenHash: string; readonly connection: string },
): Promise<boolean> {
  const row = await db
    .updateTable('camera_devices')
    .set({ connection: device.connection })
    .where('camera_id', '=', device.cameraId)
    .where('token_hash', '=', device.tokenHash)
    .returning('camera_id')
    .executeTakeFirst();
  return row !== undefined;
}
