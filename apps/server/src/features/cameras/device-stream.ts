/** `WS /api/cameras/stream`: receives pictures from paired devices and passes them on to the engine. */

import { randomUUID } from 'node:crypto';
import {
  DEVICE_MAX_FPS,
  DEVICE_PICTURE_MAX_BYTES,
  DEVICE_STREAM_PATH,
  DEVICE_UNPAIRED,
  decodeDevicePicture,
} from '@haris/contract/live/video';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findCameraOfDevice } from '../../db/camera-devices.ts';
import { enterFacility } from '../../http/session.ts';
import { protocolToken, watchOverSocket } from '../../http/sockets.ts';
import { createTokenBucket } from '../../token-bucket.ts';
import { hashToken } from '../../vault/vault.ts';
import { isJpeg } from '../../vision/live-picture.ts';
import { type DeviceConnections, openDeviceConnections } from './device-connections.ts';

/** Close codes of the WebSocket protocol. */
const UNSUPPORTED_DATA = 1003;
const POLICY_VIOLATION = 1008;

/** A reason to close a socket. */
interface Refusal {
  readonly code: number;
  readonly reason: string;
}

/** Returns the JPEG of a message, or why its socket must be closed. Pure. */
function readPicture(data: Buffer, isBinary: boolean): { readonly jpeg: Uint8Array } | Refusal {
  if (!isBinary) return { code: UNSUPPORTED_DATA, reason: 'pictures only' };
  let jpeg: Uint8Array;
  try {
    ({ jpeg } = decodeDevicePicture(data));
  } catch {
    return { code: UNSUPPORTED_DATA, reason: 'not a picture' };
  }
  if (!isJpeg(jpeg)) return { code: UNSUPPORTED_DATA, reason: 'not a JPEG' };
  if (jpeg.length > DEVICE_PICTURE_MAX_BYTES) return { code: POLICY_VIOLATION, reason: 'too large' };
  return { jpeg };
}

/** A device with a valid token. */
interface Admitted {
  readonly cameraId: string;
  readonly tokenHash: string;
}

/** Returns null if the token is no longer valid. Throws 404 outside a WebSocket upgrade, and 401 without a token. */
async function admit(context: Context, request: FastifyRequest): Promise<Admitted | null> {
  if (!request.ws) throw new AppError('not_found');
  const token = protocolToken(request, 'device');
  if (!token) throw new AppError('unauthenticated');
  const tokenHash = hashToken(token);
  const cameraId = await findCameraOfDevice(context.db, context.vault, tokenHash);
  return cameraId === undefined ? null : { cameraId, tokenHash };
}

/** Passes on the pictures of a device. Pictures above the rate limit are dropped. */
function receivePictures(
  { live, clock }: Context,
  connections: DeviceConnections,
  admitted: Admitted,
  socket: WebSocket,
): void {
  const device = { ...admitted, connection: randomUUID(), socket };
  const isWithinRate = createTokenBucket(DEVICE_MAX_FPS, DEVICE_MAX_FPS);
  socket.on('message', (data, isBinary) => {
    if (!connections.has(device)) return;
    const picture = readPicture(data as Buffer, isBinary);
    if ('code' in picture) socket.close(picture.code, picture.reason);
    // Use the server's time, because the device's clock may be wrong.
    else if (isWithinRate(performance.now()))
      live.sendDevicePicture(device.cameraId, clock.now(), picture.jpeg);
  });
  connections.add(device);
}

export function deviceStreamFeature(app: FastifyInstance, context: Context): { stop(): void } {
  const connections = openDeviceConnections(context);
  const admittances = new WeakMap<FastifyRequest, Admitted | null>();
  app.get(
    DEVICE_STREAM_PATH,
    {
      websocket: true,
      async onRequest(request) {
        // The token alone identifies a device, at any facility.
        enterFacility(request, null);
        admittances.set(request, await admit(context, request));
      },
    },
    (socket, request) => {
      const admitted = admittances.get(request);
      watchOverSocket(socket);
      // A browser cannot read the status of a refused upgrade, but it can read a close code.
      if (!admitted) return socket.close(DEVICE_UNPAIRED, 'unpaired');
      receivePictures(context, connections, admitted, socket);
    },
  );
  return connections;
}
