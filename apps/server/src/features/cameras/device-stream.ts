/** `WS /api/cameras/stream`: receives pictures from paired devices and passes them on to the engine. */

import { randomUUID } from 'node:crypto';
import { sockets } from '@haris/contract/live/sockets';
import { DEVICE_MAX_FPS, DEVICE_PICTURE_MAX_BYTES, decodeDevicePicture } from '@haris/contract/live/video';
import type { FastifyInstance } from 'fastify';
import type { WebSocket } from 'ws';
import type { Context } from '../../context.ts';
import { bindSocket, type CameraDevice } from '../../http/openings.ts';
import { createTokenBucket } from '../../token-bucket.ts';
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

/** Passes on the pictures of a device. Pictures above the rate limit are dropped. */
function receivePictures(
  { live, clock }: Context,
  connections: DeviceConnections,
  opener: CameraDevice,
  socket: WebSocket,
): void {
  const device = { ...opener, connection: randomUUID(), socket };
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
  bindSocket(app, context, sockets.deviceCameraSocket, {
    open: (socket, { opener }) => receivePictures(context, connections, opener, socket),
  });
  return connections;
}
