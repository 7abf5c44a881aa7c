/**
 * The quick stream of our own page: `WS /api/live`. It is opened with `?ticket=` (of `/api/tickets`, for a child or a
 * camera) or with the sub-protocols `bearer, <token>` and the query of `/video_feed`; refused at the upgrade like that call,
 * but where no camera is live it opens, says so, and begins when one comes. What is waited for is said again every 30 s.
 *
 * The server sends text messages ({@link liveNoteSchema}) and pictures as binary ones ({@link encodePicture}): layers that
 * the page draws one over the other. For a parent the first layer is the coarse picture of the whole room, and each further
 * layer is the sharp region of an own child; for staff the first layer is the whole picture.
 * The client sends nothing but one `{"type":"taken","seq":n}` for each picture drawn: the next is sent only while at most
 * two are under way, so that a slow viewer loses pictures instead of falling behind.
 */
import { z } from 'zod';

export const LIVE_PATH = '/api/live';
/** A device that is a camera sends its pictures here: sub-protocols `device, <token>`; binary messages of {@link encodeDevicePicture}. */
export const DEVICE_STREAM_PATH = '/api/cameras/stream';
/** Largest JPEG a device may send, in bytes, and how many it may send in a second; what is more is dropped. */
export const DEVICE_PICTURE_MAX_BYTES = 2 * 1024 * 1024;
export const DEVICE_MAX_FPS = 30;
/**
 * Close codes of that socket after which the device must not come back: its token is dead (paired anew, the camera was
 * deleted or is of another kind), or another connection with the same token took its place. A dead token opens too and
 * is closed at once with this code, since a browser cannot read a refusal; what is no token at all is refused with 401.
 */
export const DEVICE_UNPAIRED = 4001;
export const DEVICE_REPLACED = 4002;
/** No picture for this long: the picture is said to be frozen. Milliseconds. */
export const FROZEN_AFTER_MS = 2_000;

/** A rectangle in parts (0–1) of the whole picture: [x, y, width, height]. */
const partBoxSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** One picture. `seq` grows by one or more; `capturedAt` is the server's clock, milliseconds since 1970. */
export const pictureHeaderSchema = z.object({
  seq: z.number().int().nonnegative(),
  capturedAt: z.number(),
  /** Of the whole picture in pixels. */
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  /** In the order of drawing. `bytes` is the layer's JPEG length; `childId` whose sharp region it is. */
  layers: z
    .array(
      z.object({
        bytes: z.number().int().positive(),
        box: partBoxSchema,
        childId: z.string().optional(),
        /** Width of the edge over which the layer fades into what lies below it, as a part of its own width. */
        feather: z.number().min(0).max(0.5).optional(),
      }),
    )
    .min(1)
    .max(40),
  /** Faces in view, for staff only: `name` null is unknown, `childId` null for all but children. */
  faces: z
    .array(
      z.object({
        box: partBoxSchema,
        childId: z.string().nullable(),
        name: z.string().nullable(),
        kind: z.enum(['child', 'guardian', 'staff', 'unknown']),
      }),
    )
    .optional(),
});
export type PictureHeader = z.infer<typeof pictureHeaderSchema>;

/** What else is said: which camera shows, and why there is no picture. */
export const liveNoteSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('camera'), cameraId: z.string(), area: z.string(), name: z.string() }),
  z.object({
    type: z.literal('waiting'),
    /** The child was not seen yet; the camera that showed it is down; no camera is switched on. */
    reason: z.enum(['not_seen_yet', 'camera_down', 'no_camera']),
  }),
  z.object({
    type: z.literal('end'),
    /** `checked_out`, `signed_out` and `no_right` are final; after `restart` the client comes back. */
    reason: z.enum(['checked_out', 'signed_out', 'no_right', 'restart']),
  }),
]);
export type LiveNote = z.infer<typeof liveNoteSchema>;

export const liveTakenSchema = z.object({ type: z.literal('taken'), seq: z.number().int().nonnegative() });

/** A binary message: u32 (big endian) length of the header's JSON, the JSON, then the layers' JPEGs. */
export function encodePicture(header: PictureHeader, layers: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return encodeMessage(header, layers);
}

/** Throws a ZodError or RangeError for what is no picture. The layers are views of `message`. */
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

/** What a device sends with each JPEG: its own clock in milliseconds, for the age of the picture only. */
const devicePictureSchema = z.object({ capturedAt: z.number() });

export function encodeDevicePicture(capturedAt: number, jpeg: Uint8Array): Uint8Array<ArrayBuffer> {
  return encodeMessage({ capturedAt }, [jpeg]);
}

/** Throws a ZodError or RangeError. */
export function decodeDevicePicture(message: Uint8Array): { capturedAt: number; jpeg: Uint8Array } {
  const { json, rest } = decodeMessage(message);
  return { ...devicePictureSchema.parse(json), jpeg: rest };
}

/** The framing of all binary messages here and to the vision process: u32 length, JSON header, bytes. */
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

/** The header is unknown JSON: the caller parses it. Throws RangeError or SyntaxError. */
export function decodeMessage(message: Uint8Array): { json: unknown; rest: Uint8Array } {
  if (message.length < 4) throw new RangeError('the message is cut off');
  const length = new DataView(message.buffer, message.byteOffset, message.byteLength).getUint32(0);
  if (length > HEADER_MAX_BYTES || 4 + length > message.length)
    throw new RangeError('the message is cut off');
  const json: unknown = JSON.parse(new TextDecoder().decode(message.subarray(4, 4 + length)));
  return { json, rest: message.subarray(4 + length) };
}
