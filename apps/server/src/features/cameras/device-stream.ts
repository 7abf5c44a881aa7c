/** `WS /api/cameras/stream`: takes the pictures of devices that are cameras, and hands them on to the face engine. */
import { randomUUID } from 'node:crypto';
import {
  DEVICE_MAX_FPS,
  DEVICE_PICTURE_MAX_BYTES,
  DEVICE_REPLACED,
  DEVICE_STREAM_PATH,
  DEVICE_UNPAIRED,
  decodeDevicePicture,
} from '@haris/contract/live/video';
import { describeFailure } from '@haris/runtime/log';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { protocolToken, watchOverSocket } from '../../http/sockets.ts';
import { hashToken } from '../../vault/vault.ts';
import { isJpeg } from '../../vision/live-picture.ts';

/** Connections are compared with the database this often. Milliseconds. */
const CHECK_MS = 1_000;
/** Close codes of the protocol: not the right kind of data, against the rules, the server goes. */
const UNSUPPORTED = 1003;
const AGAINST_RULES = 1008;
const GOING = 1012;

interface Device {
  readonly cameraId: string;
  readonly tokenHash: string;
  readonly connection: string;
  readonly socket: WebSocket;
  /** How many pictures it may send at once, and when that was reckoned. */
  readonly rate: { at: number; room: number };
}

/** A device of a camera of the kind `browser`, by its token. */
async function findDevice(context: Context, tokenHash: string): Promise<{ camera_id: string } | undefined> {
  return context.db
    .selectFrom('camera_devices')
    .innerJoin('cameras', 'cameras.id', 'camera_devices.camera_id')
    .select('camera_devices.camera_id')
    .where('camera_devices.token_hash', '=', tokenHash)
    .where('cameras.kind', '=', 'browser')
    .executeTakeFirst();
}

export function deviceStreamFeature(app: FastifyInstance, context: Context): { stop(): void } {
  const devices = new Set<Device>();

  /** Ends connections whose token is dead, and those that a newer one has replaced, on whatever server. */
  async function check(): Promise<void> {
    if (devices.size === 0) return;
    const rows = await context.db
      .selectFrom('camera_devices')
      .innerJoin('cameras', 'cameras.id', 'camera_devices.camera_id')
      .select(['camera_devices.camera_id', 'camera_devices.token_hash', 'camera_devices.connection'])
      .where('cameras.kind', '=', 'browser')
      .execute();
    const known = new Map(rows.map((row) => [row.camera_id, row]));
    for (const device of devices) {
      const row = known.get(device.cameraId);
      if (row?.token_hash !== device.tokenHash) device.socket.close(DEVICE_UNPAIRED, 'unpaired');
      else if (row.connection !== device.connection) device.socket.close(DEVICE_REPLACED, 'replaced');
    }
  }

  let checking = false;
  function checkSoon(): void {
    if (checking) return;
    checking = true;
    check()
      .catch((error: unknown) => {
        context.log.warn(describeFailure(error), 'devices could not be checked');
        for (const device of devices) device.socket.close(GOING, 'not checked');
      })
      .finally(() => {
        checking = false;
      });
  }
  const timer = setInterval(checkSoon, CHECK_MS);
  timer.unref();
  const stopListening = context.wakeup.listen(checkSoon);

  /** Why the socket must be closed for what it sent, or null: then the picture was handed on or dropped. */
  function take(device: Device, data: Buffer, isBinary: boolean): [code: number, reason: string] | null {
    if (!isBinary) return [UNSUPPORTED, 'pictures only'];
    let jpeg: Uint8Array;
    try {
      ({ jpeg } = decodeDevicePicture(data));
    } catch {
      return [UNSUPPORTED, 'not a picture'];
    }
    if (!isJpeg(jpeg)) return [UNSUPPORTED, 'not a JPEG'];
    if (jpeg.length > DEVICE_PICTURE_MAX_BYTES) return [AGAINST_RULES, 'too large'];
    const now = performance.now();
    const { rate } = device;
    rate.room = Math.min(DEVICE_MAX_FPS, rate.room + ((now - rate.at) / 1_000) * DEVICE_MAX_FPS);
    rate.at = now;
    if (rate.room < 1) return null;
    rate.room--;
    // By our clock: the device's own may be anything.
    context.live.sendDevicePicture(device.cameraId, context.clock.now(), jpeg);
    return null;
  }

  /** Null: the token is dead. */
  const authorized = new WeakMap<FastifyRequest, { cameraId: string; tokenHash: string } | null>();
  app.get(
    DEVICE_STREAM_PATH,
    {
      websocket: true,
      async onRequest(request) {
        if (!request.ws) throw new AppError('not_found');
        const token = protocolToken(request, 'device');
        if (!token) throw new AppError('unauthenticated');
        const tokenHash = hashToken(token);
        const device = await findDevice(context, tokenHash);
        authorized.set(request, device ? { cameraId: device.camera_id, tokenHash } : null);
      },
    },
    (socket, request) => {
      const admitted = authorized.get(request);
      watchOverSocket(socket);
      // A browser cannot read the status of a refused upgrade, but it can read why a socket was closed.
      if (!admitted) return socket.close(DEVICE_UNPAIRED, 'unpaired');
      const device: Device = {
        ...admitted,
        connection: randomUUID(),
        socket,
        rate: { at: performance.now(), room: DEVICE_MAX_FPS },
      };
      socket.on('close', () => devices.delete(device));
      socket.on('message', (data, isBinary) => {
        if (!devices.has(device)) return;
        const refusal = take(device, data as Buffer, isBinary);
        if (refusal) socket.close(...refusal);
      });
      takePlace(device).catch(() => socket.close(GOING, 'not checked'));
    },
  );

  /** The row names the newest connection, so that other servers end theirs; only then are its pictures taken. */
  async function takePlace(device: Device): Promise<void> {
    const row = await context.db
      .updateTable('camera_devices')
      .set({ connection: device.connection })
      .where('camera_id', '=', device.cameraId)
      .where('token_hash', '=', device.tokenHash)
      .returning('camera_id')
      .executeTakeFirst();
    if (!row) return device.socket.close(DEVICE_UNPAIRED, 'unpaired');
    for (const older of devices)
      if (older.cameraId === device.cameraId) older.socket.close(DEVICE_REPLACED, 'replaced');
    if (device.socket.readyState === device.socket.OPEN) devices.add(device);
  }

  return {
    stop() {
      clearInterval(timer);
      stopListening();
      for (const device of devices) device.socket.close(GOING, 'restart');
    },
  };
}
