/** Open connections of paired devices: one per camera across all servers, each with a valid token. Fails closed. */

import { DEVICE_REPLACED, DEVICE_UNPAIRED } from '@haris/contract/live/video';
import { describeFailure } from '@haris/runtime/log';
import type { WebSocket } from 'ws';
import type { Context } from '../../context.ts';
import { findDevices, setDeviceConnection } from '../../db/camera-devices.ts';
import { acrossFacilities } from '../../facility.ts';

/** Interval at which connections are compared with the database. Milliseconds. */
const CHECK_MS = 1_000;
/** Close code of the WebSocket protocol. */
const SERVICE_RESTART = 1012;

export interface DeviceConnection {
  readonly cameraId: string;
  readonly tokenHash: string;
  /** Id of this connection, unique across all servers. */
  readonly connection: string;
  readonly socket: WebSocket;
}

export interface DeviceConnections {
  /** Whether pictures from this connection are accepted. */
  has(device: DeviceConnection): boolean;
  /** Makes this the only connection of its camera; older connections end, also on other servers. */
  add(device: DeviceConnection): void;
  stop(): void;
}

export function openDeviceConnections({
  db,
  log,
  wakeup,
}: Pick<Context, 'db' | 'log' | 'wakeup'>): DeviceConnections {
  const devices = new Set<DeviceConnection>();

  /** Ends connections whose token is no longer valid, and connections replaced by a newer one. */
  async function check(): Promise<void> {
    if (devices.size === 0) return;
    const rows = new Map((await findDevices(db)).map((row) => [row.camera_id, row]));
    for (const device of devices) {
      const row = rows.get(device.cameraId);
      if (row?.token_hash !== device.tokenHash) device.socket.close(DEVICE_UNPAIRED, 'unpaired');
      else if (row.connection !== device.connection) device.socket.close(DEVICE_REPLACED, 'replaced');
    }
  }

  let isChecking = false;
  function checkSoon(): void {
    if (isChecking) return;
    isChecking = true;
    acrossFacilities(check)
      .catch((error: unknown) => {
        log.warn(describeFailure(error), 'devices could not be checked');
        for (const device of devices) device.socket.close(SERVICE_RESTART, 'not checked');
      })
      .finally(() => {
        isChecking = false;
      });
  }
  const timer = setInterval(checkSoon, CHECK_MS);
  timer.unref();
  const stopListening = wakeup.listen(checkSoon);

  async function replaceOlder(device: DeviceConnection): Promise<void> {
    // Other servers see the new connection in the row and end their own.
    if (!(await setDeviceConnection(db, device))) return device.socket.close(DEVICE_UNPAIRED, 'unpaired');
    for (const older of devices)
      if (older.cameraId === device.cameraId) older.socket.close(DEVICE_REPLACED, 'replaced');
    if (device.socket.readyState === device.socket.OPEN) devices.add(device);
  }

  return {
    has: (device) => devices.has(device),
    add(device) {
      device.socket.on('close', () => devices.delete(device));
      replaceOlder(device).catch(() => device.socket.close(SERVICE_RESTART, 'not checked'));
    },
    stop() {
      clearInterval(timer);
      stopListening();
      for (const device of devices) device.socket.close(SERVICE_RESTART, 'restart');
    },
  };
}
