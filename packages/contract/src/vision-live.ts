/**
 * The live wire between apps/server and a vision process: one WebSocket `GET /live` with `Authorization: Bearer
 * <VISION_TOKEN>`, opened by the server. Text messages are JSON; binary ones are framed by `encodeMessage` of
 * `live/video.ts`. The vision process gets cameras, encodings and ids, but no names or accounts. Only one server can
 * connect at a time: see `VISION_SERVER_HEADER`.
 * When the socket closes, the vision process stops all cameras and forgets all state: fail closed.
 */
import * as z from 'zod/mini';
import { CAMERA_KINDS, zoneSchema } from './http/cameras.ts';
import { subjectSchema } from './subject.ts';

export const VISION_LIVE_PATH = '/live';

/** Largest height in pixels of the coarse layer of a parent's picture; the server does not forward a higher one. */
export const COARSE_MAX_HEIGHT = 32;

/** A camera as the vision process reads it. `url` includes user and password; for `file` it is an absolute path. */
const cameraTaskSchema = z.object({
  id: z.string(),
  kind: z.enum(CAMERA_KINDS),
  url: z.nullable(z.string()),
  zones: z.array(zoneSchema),
  enabled: z.boolean(),
});

/**
 * The view of a subscriber; every view hides privacy zones. `whole`: everything else, for staff. `only`: the coarse
 * room, with sharp regions for the children of `childIds` who are recognised in this very picture.
 */
const viewSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('whole') }),
  z.object({ kind: z.literal('only'), childIds: z.array(z.string()).check(z.maxLength(20)) }),
]);
export type VisionView = z.infer<typeof viewSchema>;

/**
 * Server → vision. `cameras` and `recognition` replace the whole state: anything missing ends. Nobody is recognised
 * before the session has both a gallery (`PUT /gallery` by the same server) and `recognition`.
 */
export const visionCommandSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('cameras'),
    cameras: z.array(cameraTaskSchema),
    /** Answered with `covered` of the same number. */
    revision: z.optional(z.int().check(z.nonnegative())),
  }),
  /**
   * How faces are compared with the gallery, and which children are inside. Any other child is reported (`seen`) but
   * never named or made sharp in a picture. Adults have no stays and are named whenever they appear. `threshold` is for
   * a person with several photos (`namedBelow`).
   */
  z.object({
    type: z.literal('recognition'),
    threshold: z.number().check(z.positive()),
    margin: z.number().check(z.nonnegative()),
    inside: z.array(z.string()),
  }),
  z.object({
    type: z.literal('subscribe'),
    subscription: z.int().check(z.nonnegative()),
    cameraId: z.string(),
    view: viewSchema,
    /** `jpeg`: one composed JPEG per picture (layers: one); `layers`: as in `live/video.ts`. */
    format: z.enum(['jpeg', 'layers']),
    maxFps: z.number().check(z.positive(), z.lte(60)),
  }),
  z.object({ type: z.literal('unsubscribe'), subscription: z.int().check(z.nonnegative()) }),
]);
export type VisionCommand = z.infer<typeof visionCommandSchema>;
export type CameraTask = z.infer<typeof cameraTaskSchema>;

/** Server → vision, binary: header and one JPEG of a camera of kind `browser`. */
export const deviceFrameSchema = z.object({ cameraId: z.string(), capturedAt: z.number() });

/** Why a camera sends no pictures. */
export const cameraProblemSchema = z.enum([
  'unreachable',
  'refused',
  'unauthorized',
  'no_picture',
  'unsupported',
  'frozen',
  /** The process that reads the camera stopped responding and is being restarted. */
  'hung',
  /** The camera redirects to another address, which has not been checked. */
  'redirected',
  /** The address is in a range that holds no cameras. */
  'not_allowed',
  'not_paired',
]);

export const cameraReportSchema = z.object({
  cameraId: z.string(),
  state: z.enum(['connecting', 'live', 'stalled', 'off']),
  problem: z.nullable(cameraProblemSchema),
  fps: z.nullable(z.number().check(z.nonnegative())),
  width: z.nullable(z.int().check(z.positive())),
  height: z.nullable(z.int().check(z.positive())),
  /** Milliseconds since 1970, by the clock of the machine that runs the vision process. */
  lastFrameAt: z.nullable(z.number()),
  reconnects: z.int().check(z.nonnegative()),
});
export type CameraReport = z.infer<typeof cameraReportSchema>;

/** Vision → server. `report` is sent at every change of state, and once a second while live. */
export const visionNoteSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('report'), report: cameraReportSchema }),
  /** Every picture after this note was made with the zones of that `cameras` command. */
  z.object({ type: z.literal('covered'), revision: z.int().check(z.nonnegative()) }),
  z.object({
    type: z.literal('seen'),
    cameraId: z.string(),
    /** One track of one person; stays the same in later `seen` messages, until `ended`. */
    trackId: z.string(),
    /** Null: the face stayed unknown although it was large and sharp enough to compare. */
    subject: z.nullable(subjectSchema),
    from: z.number(),
    to: z.number(),
    /** 0–1, see `sightingSchema`. */
    confidence: z.number().check(z.gte(0), z.lte(1)),
    ended: z.boolean(),
  }),
]);
export type VisionNote = z.infer<typeof visionNoteSchema>;

/** Vision → server, binary: a picture of a subscription; its layers follow the header as in `live/video.ts`. */
export const subscriptionPictureSchema = z.object({
  subscription: z.int().check(z.nonnegative()),
  seq: z.int().check(z.nonnegative()),
  /** Milliseconds since 1970, when the camera's picture reached the vision process. */
  capturedAt: z.number(),
  width: z.int().check(z.positive()),
  height: z.int().check(z.positive()),
  layers: z
    .array(
      z.object({
        bytes: z.int().check(z.positive()),
        box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
        childId: z.optional(z.string()),
        feather: z.optional(z.number()),
      }),
    )
    .check(z.minLength(1)),
  /** Faces found in this very picture; only in `whole` views. */
  faces: z.optional(
    z.array(
      z.object({
        box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
        subject: z.nullable(subjectSchema),
      }),
    ),
  ),
});
export type SubscriptionPicture = z.infer<typeof subscriptionPictureSchema>;
