/** Revokes again what the restore of an older database has brought back: keys of sensors, cameras and Home Assistant. */
import type { AuditFact, AuditTrail } from '../db/audit.ts';
import { deleteHomeAssistantAccountRow } from '../db/broker-accounts.ts';
import { endDevice } from '../db/camera-devices.ts';
import { deleteCameraRow } from '../db/cameras.ts';
import type { ErasedKind } from '../db/erased-kinds.ts';
import { cameraOfPairing, type Erasure } from '../db/erasures.ts';
import { deleteSensorRow, revokeSensorSecrets } from '../db/sensors.ts';
import type { Tx } from '../db/transaction.ts';

const DEVICE_KINDS = ['sensor', 'sensor_key', 'home_assistant', 'camera', 'camera_device'] as const;
export type DeviceKind = (typeof DEVICE_KINDS)[number];

export function isDeviceKind(kind: ErasedKind): kind is DeviceKind {
  return DEVICE_KINDS.some((one) => one === kind);
}

/** Returns false if there is nothing to revoke. */
export async function revokeAgain(
  tx: Tx,
  audit: AuditTrail,
  kind: DeviceKind,
  { id, at }: Erasure,
): Promise<boolean> {
  const fact = await revoke(tx, kind, id, at);
  if (fact) await audit.append(tx, { actor: null, ...fact, details: { replayed: true } });
  return fact !== null;
}

/** Revokes, and returns what the audit log says of it; null if there is nothing to revoke. */
async function revoke(
  { trx }: Tx,
  kind: DeviceKind,
  id: string,
  at: number,
): Promise<Pick<AuditFact, 'action' | 'subject'> | null> {
  switch (kind) {
    case 'sensor':
      if (!(await deleteSensorRow(trx, id, at))) return null;
      return { action: 'sensor.deleted', subject: { kind, id } };
    case 'sensor_key': {
      const sensor = await revokeSensorSecrets(trx, id, at);
      return sensor === undefined
        ? null
        : { action: 'sensor.secrets_renewed', subject: { kind: 'sensor', id: sensor } };
    }
    case 'home_assistant':
      if (!(await deleteHomeAssistantAccountRow(trx, id, at))) return null;
      return { action: 'home_assistant.deleted', subject: { kind, id } };
    case 'camera':
      if (!(await deleteCameraRow(trx, id, at))) return null;
      return { action: 'camera.deleted', subject: { kind, id } };
    case 'camera_device': {
      const camera = cameraOfPairing(id);
      await endDevice(trx, camera, at);
      return { action: 'camera.updated', subject: { kind: 'camera', id: camera } };
    }
  }
}
