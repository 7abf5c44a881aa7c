/**
 * The wire between apps/server and apps/vision: image bytes in, boxes and encodings out. It carries no names:
 * the gallery contains only ids and encodings.
 */
import * as z from 'zod/mini';
import { FACE_QUESTION_CHILDREN, STORED_PHOTO_MAX_BYTES } from './constants.ts';
import { subjectSchema } from './subject.ts';

/**
 * Version of this wire and of the live wire. Server and engine ship together; different versions do not interoperate.
 */
export const VISION_WIRE = 2;

/** Length of a face encoding: the dlib ResNet's 128 floats (decision 006). */
export const ENCODING_LENGTH = 128;

/**
 * A face encoding: 128 finite floats, compared by Euclidean distance (not unit length).
 * Same person: mostly < 0.50; different people: mostly > 0.60.
 */
export const encodingSchema = z
  .array(z.number().check(z.gte(-10), z.lte(10)))
  .check(z.length(ENCODING_LENGTH));

/** A face box: [x, y, width, height] in pixels of the upright image as sent, origin top left. */
export const faceBoxSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]);
export type FaceBox = z.infer<typeof faceBoxSchema>;

/**
 * Why a photo cannot be used to enrol a face (each a 422 of `/register-child` and `create-child`): `face_too_small`:
 * box under 80 px wide in the photo as sent; `face_cut_off`: the box crosses the photo's edge; `face_unevenly_lit`:
 * one half is dark; `not_a_photo`: a flat drawing.
 */
export const photoProblemSchema = z.enum([
  'unreadable_photo',
  'no_face',
  'many_faces',
  'face_too_small',
  'face_cut_off',
  'photo_too_dark',
  'photo_blurred',
  'face_upside_down',
  'face_unevenly_lit',
  'eyes_covered',
  'mouth_covered',
  'not_a_photo',
]);
export type PhotoProblem = z.infer<typeof photoProblemSchema>;

/**
 * Header of every call and of the live wire's upgrade that identifies the server: an id that each server generates at
 * its start. One server controls an engine, from the opening of its wire (or `claim`) until 10 s after the wire
 * breaks, or until it closes the wire cleanly (close code 1000). Meanwhile any other server gets 409 `engine_taken`.
 */
export const VISION_SERVER_HEADER = 'x-haris-server';

/** Path of each vision call. All except `health` require `Authorization: Bearer <VISION_TOKEN>`. */
export const visionPaths = {
  /** GET → 200 {@link visionHealthSchema}; 503 until the networks are loaded and have run once. */
  health: '/healthz',
  /** POST → 204: the calling server controls the engine for 10 s, or until its wire is open. 409 `engine_taken`. */
  claim: '/claim',
  /** POST image bytes → 200 {@link visionNormalizeAnswerSchema}; 422 {@link visionProblemSchema}. */
  normalize: '/normalize',
  /** POST image bytes → 200 {@link visionEnrolAnswerSchema}; 422 {@link visionProblemSchema}. */
  enrol: '/enrol',
  /** POST image bytes → 200 {@link visionGuideAnswerSchema}: fast, without an encoding, for the capture guide. */
  guide: '/guide',
  /** PUT {@link visionGallerySchema} → 204: replaces the whole gallery. */
  gallery: '/gallery',
  /** POST {@link visionMatchRequestSchema} → 200 {@link visionMatchAnswerSchema}; 409 `gallery_stale`. */
  match: '/match',
  /**
   * POST image bytes with query {@link visionIdentifyQuerySchema} → 200 {@link visionIdentifyAnswerSchema};
   * 409 `gallery_stale`; 422 `unreadable_photo`.
   */
  identify: '/identify',
} as const;

/**
 * The actor who requested the analysis of a photo: the header `x-haris-asker` of every call with a photo. Each value
 * has its own queue and process, so that a crowd of strangers cannot delay the desk. Anything but `staff` is `public`.
 */
export const VISION_ASKER_HEADER = 'x-haris-asker';
export type VisionAsker = 'staff' | 'public';

export const visionHealthSchema = z.object({
  status: z.literal('ok'),
  wire: z.literal(VISION_WIRE),
  model: z.string(),
  galleryRevision: z.nullable(z.int()),
});

/**
 * Response of a failed vision call. `code` is a {@link PhotoProblem}, `gallery_stale`, `engine_taken`, `unauthorized`
 * or `bad_request`.
 */
export const visionProblemSchema = z.object({
  code: z.string(),
  message: z.string(),
  /** With `unreadable_photo`: its time was over before it was read. */
  late: z.optional(z.boolean()),
  /** With `engine_taken`: the seat of a server that was killed is free within this time. Milliseconds. */
  freeWithinMs: z.optional(z.number().check(z.nonnegative())),
});

/**
 * The photo as it may be stored: upright, sRGB JPEG of at most 400 kB, no metadata, longest side ≤ 1024 px, never enlarged.
 * `jpeg` is base64; width and height are the JPEG's.
 */
const normalizedPhotoShape = {
  jpeg: z.base64().check(z.maxLength(4 * Math.ceil(STORED_PHOTO_MAX_BYTES / 3))),
  width: z.int().check(z.positive()),
  height: z.int().check(z.positive()),
};
export const visionNormalizeAnswerSchema = z.object(normalizedPhotoShape);

/** `quality` 0–1, higher is better; it combines size, sharpness, light and frontality of the face. */
export const visionEnrolAnswerSchema = z.object({
  photo: z.object(normalizedPhotoShape),
  box: faceBoxSchema,
  encoding: encodingSchema,
  model: z.string(),
  quality: z.number().check(z.gte(0), z.lte(1)),
});
export type VisionEnrolAnswer = z.infer<typeof visionEnrolAnswerSchema>;

/**
 * `advice` is `ready` or the problem; `box` is the largest face, null if there is none; `width` and
 * `height` are those of the upright image as sent.
 */
export const visionGuideAnswerSchema = z.object({
  advice: z.union([z.literal('ready'), photoProblemSchema]),
  box: z.nullable(faceBoxSchema),
  width: z.int().check(z.positive()),
  height: z.int().check(z.positive()),
});

/**
 * All enrolled faces. `revision` identifies the state of the server's enrolments. A subject may have several
 * encodings: the distance of a face is the mean of its distances to all of them.
 */
export const visionGallerySchema = z.object({
  revision: z.int().check(z.nonnegative()),
  entries: z.array(
    z.object({ subject: subjectSchema, encodings: z.array(encodingSchema).check(z.minLength(1)) }),
  ),
});
export type VisionGallery = z.infer<typeof visionGallerySchema>;

export const visionMatchRequestSchema = z.object({
  revision: z.int().check(z.nonnegative()),
  encoding: encodingSchema,
  /** Returns only children nearer than this, and never adults. */
  maxDistance: z.number().check(z.positive()),
  /** Children to leave out of the response (the one being updated). */
  exclude: z._default(z.array(z.string()), []),
});

/** An enrolled child and the distance of a face from it: the mean of the Euclidean distances to its photos. */
const nearChildSchema = z.object({ childId: z.string(), distance: z.number() });
export type NearChild = z.infer<typeof nearChildSchema>;

/**
 * All children nearer than requested, the one with the nearest photo first. The list is never truncated: that could hide another family's
 * child behind many of the parent's own.
 */
export const visionMatchAnswerSchema = z.object({
  nearest: z.array(nearChildSchema),
});

export const visionIdentifyQuerySchema = z.object({
  revision: z.coerce.number().check(z.int(), z.nonnegative()),
  threshold: z.coerce.number().check(z.positive()),
  margin: z.coerce.number().check(z.nonnegative()),
  /** For a face without a match, returns children nearer than this. */
  questionDistance: z.coerce.number().check(z.nonnegative()),
});
/**
 * Every face found. `match` is null (unknown) unless the nearest child is below `threshold` (with one photo of the child
 * below `ONE_PHOTO_THRESHOLD`) AND the second nearest is at least `margin` further away; faces under 40 px wide are never
 * matched.
 */
export const visionIdentifyAnswerSchema = z.object({
  faces: z.array(
    z.object({
      box: faceBoxSchema,
      match: z.nullable(nearChildSchema),
      /** Without a match: candidates, nearest photo first, for a person who knows the children to judge. */
      near: z.array(nearChildSchema).check(z.maxLength(FACE_QUESTION_CHILDREN)),
    }),
  ),
});
