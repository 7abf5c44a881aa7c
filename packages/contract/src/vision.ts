/**
 * The wire between apps/server and apps/vision: image bytes in, boxes and encodings out.
 * Knows nothing of people: the gallery is ids and numbers only.
 */
import { z } from 'zod';
import { FACE_QUESTION_CHILDREN } from './constants.ts';

/** Length of a face encoding: the dlib ResNet's 128 floats (measured/faces.md §1). */
export const ENCODING_LENGTH = 128;

/**
 * A face encoding: 128 finite floats, compared by Euclidean distance (not unit length).
 * Same person: mostly < 0.50; different people: mostly > 0.60.
 */
export const encodingSchema = z.array(z.number().min(-10).max(10)).length(ENCODING_LENGTH);

/** A face box: [x, y, width, height] in pixels of the upright image as it was sent, origin top left. */
export const faceBoxSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]);
export type FaceBox = z.infer<typeof faceBoxSchema>;

/**
 * Why a photo cannot be used to enrol a face (each a 422 of `/register-child` and `create-child`):
 * `face_too_small`: box under 80 px wide in the photo as sent; `face_cut_off`: the box crosses the photo's edge;
 * `face_unevenly_lit`: one half lies in the dark; `not_a_photo`: a flat drawing.
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
 * Which server asks, in this header of every call and of the live wire's upgrade: an id that each server makes at its start.
 * One server controls an engine, from the opening of its wire (or `claim`) until 10 s after the wire broke, or until its
 * farewell (close code 1000). Any other is answered 409 `engine_taken` meanwhile.
 */
export const VISION_SERVER_HEADER = 'x-haris-server';

/** Path of each vision call. All but `health` want `Authorization: Bearer <VISION_TOKEN>`. */
export const visionPaths = {
  /** GET → 200 {@link visionHealthSchema}; 503 until the networks are loaded and have run once. */
  health: '/healthz',
  /** POST → 204: the asking server controls the engine, for 10 s or until its wire is open. 409 `engine_taken`. */
  claim: '/claim',
  /** POST image bytes → 200 {@link visionNormalizeAnswerSchema}; 422 {@link visionProblemSchema}. */
  normalize: '/normalize',
  /** POST image bytes → 200 {@link visionEnrolAnswerSchema}; 422 {@link visionProblemSchema}. */
  enrol: '/enrol',
  /** POST image bytes → 200 {@link visionGuideAnswerSchema}: cheap, makes no encoding, for the capture guide. */
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
 * For whom a photo is looked at, in the header `x-haris-asker` of every call with a photo. Each has a line and a process
 * of its own, so that a crowd of strangers holds up nobody at the desk. Anything but `staff` is `public`.
 */
export const VISION_ASKER_HEADER = 'x-haris-asker';
export type VisionAsker = 'staff' | 'public';

export const visionHealthSchema = z.object({
  status: z.literal('ok'),
  model: z.string(),
  galleryRevision: z.number().int().nullable(),
});

/** Answer of a failed vision call. `code` is a {@link PhotoProblem}, `gallery_stale`, `engine_taken`, `unauthorized` or `bad_request`. */
export const visionProblemSchema = z.object({ code: z.string(), message: z.string() });

/**
 * The photo as it may be kept: upright, sRGB JPEG, no metadata, longest side ≤ 1024 px, never enlarged.
 * `jpeg` is base64; width and height are the JPEG's.
 */
const normalizedPhotoShape = {
  jpeg: z.base64(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
};
export const visionNormalizeAnswerSchema = z.object(normalizedPhotoShape);

/** `quality` 0–1, higher is better (size, sharpness, light and frontality of the face together). */
export const visionEnrolAnswerSchema = z.object({
  photo: z.object(normalizedPhotoShape),
  box: faceBoxSchema,
  encoding: encodingSchema,
  model: z.string(),
  quality: z.number().min(0).max(1),
});
export type VisionEnrolAnswer = z.infer<typeof visionEnrolAnswerSchema>;

/** `advice` is `ready` or what is wrong; `box` the largest face, null where none; size of the upright image sent. */
export const visionGuideAnswerSchema = z.object({
  advice: z.union([z.literal('ready'), photoProblemSchema]),
  box: faceBoxSchema.nullable(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
});

/** `revision` names the state of the server's enrolments; a child may have several encodings (a face is compared with each; the mean of the distances counts). */
export const visionGallerySchema = z.object({
  revision: z.number().int().nonnegative(),
  entries: z.array(z.object({ childId: z.string(), encodings: z.array(encodingSchema).min(1) })),
});
export type VisionGallery = z.infer<typeof visionGallerySchema>;

export const visionMatchRequestSchema = z.object({
  revision: z.number().int().nonnegative(),
  encoding: encodingSchema,
  /** Only children nearer than this are answered. */
  maxDistance: z.number().positive(),
  /** Children that are left out of the answer (the one that is being updated). */
  exclude: z.array(z.string()).default([]),
});
/** All that lie nearer than asked, nearest first: an answer that is cut off could hide another family's child behind many of the own. */
export const visionMatchAnswerSchema = z.object({
  nearest: z.array(z.object({ childId: z.string(), distance: z.number() })),
});

export const visionIdentifyQuerySchema = z.object({
  revision: z.coerce.number().int().nonnegative(),
  threshold: z.coerce.number().positive(),
  margin: z.coerce.number().nonnegative(),
  /** Of a face without a match, children nearer than this are answered. */
  questionDistance: z.coerce.number().nonnegative(),
});
/**
 * Every face found. `match` is null (unknown) unless the nearest child lies under `threshold` AND the second nearest
 * lies at least `margin` further away; faces under 40 px wide are never matched.
 */
export const visionIdentifyAnswerSchema = z.object({
  faces: z.array(
    z.object({
      box: faceBoxSchema,
      match: z.object({ childId: z.string(), distance: z.number() }).nullable(),
      /** Where there is no match: whom somebody who knows the children may compare it with, nearest first. */
      near: z.array(z.object({ childId: z.string(), distance: z.number() })).max(FACE_QUESTION_CHILDREN),
    }),
  ),
});
