/**
 * The low-latency stream of the web app: `WS /api/live`. It is opened with `?ticket=` (of `/api/tickets`, for a child
 * or a camera) or with the sub-protocols `bearer, <token>` and the query of `/video_feed`. The upgrade is refused
 * like that call, with one exception: if no camera is live, the socket opens, sends the reason, and starts when a
 * camera comes. A waiting note is repeated every 30 s.
 *
 * The server sends text messages ({@link liveNoteSchema}) and binary pictures ({@link encodePicture}), made of layers
 * that the page draws over each other. For a parent the first layer is the coarse picture of the whole room, and each
 * further layer is the sharp region of one of the parent's children. For staff the first layer is the whole picture.
 * The client only sends `{"type":"taken","seq":n}` for each picture drawn. The server sends the next picture only while
 * at most two are unacknowledged, so a slow viewer loses pictures instead of falling behind.
 */
import * as z from 'zod/mini';

export const LIVE_PATH = '/api/live';
/**
 * Socket on which a paired device sends its pictures: sub-protocols `device, <token>`; binary messages of
 * {@link encodeDevicePicture}.
 */
export const DEVICE_STREAM_PATH = '/api/cameras/stream';
/** Largest JPEG from a device in bytes, and the most pictures per second; the excess is dropped. */
export const DEVICE_PICTURE_MAX_BYTES = 2 * 1024 * 1024;
export const DEVICE_MAX_FPS = 30;
/**
 * Close codes of the device socket after which the device must not reconnect: its token is no longer valid (paired
 * again, camera deleted or changed to another kind), or another connection with the same token has replaced it. With a
 * revoked token the socket opens and closes at once with this code, since a browser cannot read a refused upgrade.
 * Without a token the upgrade is refused with 401.
 */
export const DEVICE_UNPAIRED = 4001;
export const DEVICE_REPLACED = 4002;
/** After this long without a picture, the stream is reported as frozen. Milliseconds. */
export const FROZEN_AFTER_MS = 2_000;

/** A rectangle in fractions (0–1) of the whole picture: [x, y, width, height]. */
const partBoxSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** One picture. `seq` increases, possibly with gaps; `capturedAt` is the server's clock, in milliseconds since 1970. */
export const pictureHeaderSchema = z.object({
  seq: z.int().check(z.nonnegative()),
  capturedAt: z.number(),
  /** Size of the whole picture in pixels. */
  width: z.int().check(z.positive()),
  height: z.int().check(z.positive()),
  /** In drawing order. `bytes` is the length of the layer's JPEG; `childId` is the child in its sharp region. */
  layers: z
    .array(
      z.object({
        bytes: z.int().check(z.positive()),
        box: partBoxSchema,
        childId: z.optional(z.string()),
        /** Width of the edge that fades into the layer below, as a fraction of the layer's width. */
        feather: z.optional(z.number().check(z.gte(0), z.lte(0.5))),
      }),
    )
    .check(z.minLength(1), z.maxLength(40)),
  /** Faces in view, for staff only: `name` is null for unknown faces, `childId` is null for anyone but children. */
  faces: z.optional(
    z.array(
      z.object({
        box: partBoxSchema,
        childId: z.nullable(z.string()),
        name: z.nullable(z.string()),
        kind: z.enum(['child', 'guardian', 'staff', 'unknown']),
      }),
    ),
  ),
});
export type PictureHeader = z.infer<typeof pictureHeaderSchema>;

/** Other messages name the shown camera, or the reason for a missing picture. */
export const liveNoteSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('camera'), cameraId: z.string(), area: z.string(), name: z.string() }),
  z.object({
    type: z.literal('waiting'),
    /** The child has not been seen yet; its last camera is down; or no camera is switched on. */
    reason: z.enum(['not_seen_yet', 'camera_down', 'no_camera']),
  }),
  z.object({
    type: z.literal('end'),
    /** `checked_out`, `signed_out` and `no_right` are final; after `restart` the client reconnects. */
    reason: z.enum(['checked_out', 'signed_out', 'no_right', 'restart']),
  }),
]);
export type LiveNote = z.infer<typeof liveNoteSchema>;

export const liveTakenSchema = z.object({ type: z.literal('taken'), seq: z.int().check(z.nonnegative()) });

/** A binary message: u32 (big endian) length of the header's JSON, the JSON, then the layers' JPEGs. */
export function encodePicture(header: PictureHeader, layers: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return encodeMessage(header, layers);
}

/** Throws a ZodError or RangeError for malformed input. The layers are views of `message`. */
export function decodePicture(message: Uint8Array): { header: PictureHeader; layers: Uint8Array[] } {
  const { json, rest } = decodeMessage(message);
  const header = pictureHeaderSchema.parse(json);
  const layers: Uint8Array[] = [];
  let at = 0;
  for (const { bytes } of header.layers) {
    if (at + bytes > rest.length) throw new RangeError('the picture is cut off');
    layers.push(rest.subarray(at, at + bytes));
    at += bytes;
  }
  if (at !== rest.length) throw new RangeError('the picture has more bytes than it says');
  return { header, layers };
}

/** Header that a device sends with each JPEG: its own clock in milliseconds, used only to compute the picture's age. */
export const devicePictureSchema = z.object({ capturedAt: z.number() });

export function encodeDevicePicture(capturedAt: number, jpeg: Uint8Array): Uint8Array<ArrayBuffer> {
  return encodeMessage({ capturedAt }, [jpeg]);
}

/** Throws a ZodError or RangeError. */
export function decodeDevicePicture(message: Uint8Array): { capturedAt: number; jpeg: Uint8Array } {
  const { json, rest } = decodeMessage(message);
  return { ...devicePictureSchema.parse(json), jpeg: rest };
}

/** Framing of all binary messages here and of the live wire: u32 length, JSON header, bytes. */
export function encodeMessage(header: object, parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const message = new Uint8Array(4 + json.length + parts.reduce((sum, part) => sum + part.length, 0));
  new DataView(message.buffer).setUint32(0, json.length);
  message.set(json, 4);
  let at = 4 + json.length;
  for (const part of parts) {
    message.set(part, at);
    at += part.length;
  }
  return message;
}

const HEADER_MAX_BYTES = 64 * 1024;

/** Does not validate the header: the caller parses it. Throws RangeError or SyntaxError. */
export function decodeMessage(message: Uint8Array): { json: unknown; rest: Uint8Array } {
  if (message.length < 4) throw new RangeError('the message is cut off');
  const length = new DataView(message.buffer, message.byteOffset, message.byteLength).getUint32(0);
  if (length > HEADER_MAX_BYTES || 4 + length > message.length)
    throw new RangeError('the message is cut off');
  const json: unknown = JSON.parse(new TextDecoder().decode(message.subarray(4, 4 + length)));
  return { json, rest: message.subarray(4 + length) };
}
