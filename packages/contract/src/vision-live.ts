/**
 * The live wire between apps/server and a vision process: one WebSocket `GET /live` with `Authorization: Bearer
 * <VISION_TOKEN>`, opened by the server. Text messages are JSON, binary ones are framed by `encodeMessage` of
 * `live/video.ts`. The vision process knows cameras, encodings and ids; it knows no name and no account.
 * One server at a time: see `VISION_SERVER_HEADER`.
 * When the socket closes, the vision process stops all cameras and forgets all of it: fail closed.
 */
import { z } from 'zod';
import { CAMERA_KINDS, zoneSchema } from './http/cameras.ts';
import { encodingSchema } from './vision.ts';

export const VISION_LIVE_PATH = '/live';

/** The coarse layer of a parent's picture is at most this high, in pixels; the server passes on nothing higher. */
export const COARSE_MAX_HEIGHT = 32;

/** A camera as the vision process reads it. `url` is whole, with user and password; for `file` an absolute path. */
const cameraTaskSchema = z.object({
  id: z.string(),
  kind: z.enum(CAMERA_KINDS),
  url: z.string().nullable(),
  zones: z.array(zoneSchema),
  enabled: z.boolean(),
});

/**
 * Whom the cameras may name. All entries take part in the comparison; a child with `inside: false` is reported
 * (`seen` with `inside: false`) but is never named in a picture and never made sharp.
 */
const rosterEntrySchema = z.object({
  subjectId: z.string(),
  kind: z.enum(['child', 'guardian', 'staff']),
  inside: z.boolean(),
  encodings: z.array(encodingSchema).min(1),
});

/**
 * What a subscriber sees. `whole`: everything but the privacy zones (`behindZones` shows behind them), for staff.
 * `only`: the coarse room, and sharp the regions of those of `childIds` that are named in this very picture.
 */
const viewSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('whole'), behindZones: z.boolean() }),
  z.object({ kind: z.literal('only'), childIds: z.array(z.string()).max(20) }),
]);
export type VisionView = z.infer<typeof viewSchema>;

/** Server → vision. `cameras` and `roster` are whole states: what is not in them any more ends. */
export const visionCommandSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('cameras'), cameras: z.array(cameraTaskSchema) }),
  z.object({
    type: z.literal('roster'),
    revision: z.number().int(),
    threshold: z.number().positive(),
    margin: z.number().nonnegative(),
    entries: z.array(rosterEntrySchema),
  }),
  z.object({
    type: z.literal('subscribe'),
    subscription: z.number().int().nonnegative(),
    cameraId: z.string(),
    view: viewSchema,
    /** `jpeg`: one composed JPEG per picture (layers: one); `layers`: as `live/video.ts` says. */
    format: z.enum(['jpeg', 'layers']),
    maxFps: z.number().positive().max(60),
  }),
  z.object({ type: z.literal('unsubscribe'), subscription: z.number().int().nonnegative() }),
]);
export type VisionCommand = z.infer<typeof visionCommandSchema>;
export type CameraTask = z.infer<typeof cameraTaskSchema>;
export type RosterEntry = z.infer<typeof rosterEntrySchema>;

/** Server → vision, binary: header and one JPEG of a camera of kind `browser`. */
export const deviceFrameSchema = z.object({ cameraId: z.string(), capturedAt: z.number() });

export const cameraReportSchema = z.object({
  cameraId: z.string(),
  state: z.enum(['connecting', 'live', 'stalled', 'off']),
  problem: z
    .enum([
      'unreachable',
      'refused',
      'unauthorized',
      'no_picture',
      'unsupported',
      'frozen',
      /** The program that reads it gave no sign of life, and is started anew. */
      'hung',
      /** It sends whoever asks to another address, which nobody judged. */
      'redirected',
      /** No camera can have this address. */
      'not_allowed',
      'not_paired',
    ])
    .nullable(),
  fps: z.number().nonnegative().nullable(),
  width: z.number().int().positive().nullable(),
  height: z.number().int().positive().nullable(),
  /** Milliseconds since 1970, of the machine that runs the vision process. */
  lastFrameAt: z.number().nullable(),
  reconnects: z.number().int().nonnegative(),
});
export type CameraReport = z.infer<typeof cameraReportSchema>;

/** Vision → server. `report` comes at every change of state and once a second while live. */
export const visionNoteSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('report'), report: cameraReportSchema }),
  z.object({
    type: z.literal('seen'),
    cameraId: z.string(),
    /** One track of one person; the same in the `seen` messages that follow, until `ended`. */
    trackId: z.string(),
    /** Null: a face that stayed unknown, although it was large and sharp enough to be compared. */
    subjectId: z.string().nullable(),
    from: z.number(),
    to: z.number(),
    /** 0–1, see `sightingSchema`. */
    confidence: z.number().min(0).max(1),
    ended: z.boolean(),
  }),
]);
export type VisionNote = z.infer<typeof visionNoteSchema>;

/** Vision → server, binary: a picture of a subscription; its layers follow the header as in `live/video.ts`. */
export const subscriptionPictureSchema = z.object({
  subscription: z.number().int().nonnegative(),
  seq: z.number().int().nonnegative(),
  /** Milliseconds since 1970, when the camera's picture reached the vision process. */
  capturedAt: z.number(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  layers: z
    .array(
      z.object({
        bytes: z.number().int().positive(),
        box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
        childId: z.string().optional(),
        feather: z.number().optional(),
      }),
    )
    .min(1),
  /** Faces found in this very picture; only in `whole` views. */
  faces: z
    .array(
      z.object({
        box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
        subjectId: z.string().nullable(),
      }),
    )
    .optional(),
});
export type SubscriptionPicture = z.infer<typeof subscriptionPictureSchema>;
