/**
 * Messages between the hub and its children over IPC. Messages of a camera's process are parsed, because that process
 * reads data from outside. Pixels are RGB, row by row.
 */
import { subjectSchema } from '@haris/contract/subject';
import type { VisionGallery } from '@haris/contract/vision';
import { type CameraTask, cameraProblemSchema, type VisionView } from '@haris/contract/vision-live';
import { z } from 'zod';
import type { FaceProblem } from '../faces/quality.ts';
import type { Photo } from '../picture/photo.ts';
import type { Analysis, RecognitionRules } from '../recognition/live.ts';
import type { Seen } from '../recognition/sightings.ts';

/** Longest side to which frames are shrunk before any other step. Pixels. */
export const PICTURE_MAX_SIDE = 1280;

export type CameraProblem = z.infer<typeof cameraProblemSchema>;

export interface Subscription {
  readonly subscription: number;
  readonly view: VisionView;
  readonly format: 'jpeg' | 'layers';
  /** Pictures per second. */
  readonly maxFps: number;
}

/** Hub → camera. */
export type CameraOrder =
  | { readonly type: 'task'; readonly task: CameraTask }
  /** Answered with `zonesSet`. */
  | { readonly type: 'zones'; readonly zones: CameraTask['zones'] }
  | { readonly type: 'subscriptions'; readonly subscriptions: readonly Subscription[] }
  /** Whether faces can be searched now; if not, all pictures for parents are coarse. */
  | { readonly type: 'recognition'; readonly up: boolean }
  | { readonly type: 'analysed'; readonly seq: number; readonly analysis: Analysis }
  /** The faces process has finished this frame; send the next. */
  | { readonly type: 'next'; readonly seq: number }
  /** A picture of this subscription was sent; send the next. */
  | { readonly type: 'taken'; readonly subscription: number }
  /** A picture that a device sent, for a camera of kind `browser`. */
  | { readonly type: 'jpeg'; readonly capturedAt: number; readonly jpeg: Uint8Array };

const bytesSchema = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const sideSchema = z.number().int().positive().max(PICTURE_MAX_SIDE);
const boxSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** Camera → hub. */
export const cameraNoteSchema = z.discriminatedUnion('type', [
  /** The process cannot continue and exits. */
  z.object({ type: z.literal('problem'), problem: cameraProblemSchema }),
  /** Sent once a second while frames arrive; `width` and `height` are those of the camera's frames. */
  z.object({
    type: z.literal('status'),
    fps: z.number().nonnegative(),
    width: z.number().int().positive(),
    height: z.number().int().positive(),
    lastFrameAt: z.number(),
  }),
  /** A frame to search for faces. The next is sent only after the order `next`. */
  z
    .object({
      type: z.literal('frame'),
      seq: z.number().int().nonnegative(),
      capturedAt: z.number(),
      width: sideSchema,
      height: sideSchema,
      pixels: bytesSchema,
    })
    .refine(({ width, height, pixels }) => pixels.length === width * height * 3),
  z.object({
    type: z.literal('pictures'),
    seq: z.number().int().nonnegative(),
    capturedAt: z.number(),
    width: sideSchema,
    height: sideSchema,
    /** JPEGs, shared by the pictures below. */
    layers: z.array(bytesSchema),
    pictures: z.array(
      z.object({
        subscription: z.number().int().nonnegative(),
        layers: z.array(
          z.object({
            /** Index into `layers` above. */
            index: z.number().int().nonnegative(),
            /** x, y, width and height as fractions of the picture. */
            box: boxSchema,
            childId: z.string().optional(),
            feather: z.number().optional(),
          }),
        ),
        /** Ids of the children shown sharp; the layer of a composed picture does not name them. */
        shown: z.array(z.string()),
        faces: z.array(z.object({ box: boxSchema, subject: z.nullable(subjectSchema) })).optional(),
      }),
    ),
  }),
  /** The zones of the last order are set: whatever follows was made with them. */
  z.object({ type: z.literal('zonesSet') }),
  /** The device's last JPEG was read; send the next. */
  z.object({ type: z.literal('jpegTaken') }),
  /** Heartbeat every two seconds, with or without pictures. */
  z.object({ type: z.literal('beat') }),
]);
export type CameraNote = z.infer<typeof cameraNoteSchema>;
export type PicturesNote = Extract<CameraNote, { type: 'pictures' }>;

/** Hub → faces. */
export type FacesOrder =
  | {
      readonly type: 'photo';
      readonly id: number;
      readonly call: 'enrol' | 'guide' | 'findFaces';
      /** Decoded by a photo process. */
      readonly photo: Photo;
    }
  | { readonly type: 'gallery'; readonly entries: VisionGallery['entries'] }
  | { readonly type: 'rules'; readonly rules: RecognitionRules }
  | {
      readonly type: 'frame';
      readonly cameraId: string;
      readonly seq: number;
      readonly capturedAt: number;
      readonly width: number;
      readonly height: number;
      readonly pixels: Uint8Array;
      /** Children that somebody watches on this camera. */
      readonly watched: readonly string[];
    }
  | { readonly type: 'forget'; readonly cameraId: string };

/** Why a photo failed: a reason for its sender, or null for a failure of the engine. */
type PhotoFailure =
  | { readonly name: 'UnreadablePhotoError' }
  | { readonly name: 'FaceProblemError'; readonly problem: FaceProblem }
  | null;

/** Faces → hub. The process is our own and reads nothing from outside, so its messages are not parsed. */
export type FacesNote =
  | { readonly type: 'ready'; readonly model: string }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failure'; readonly id: number; readonly failure: PhotoFailure }
  | {
      readonly type: 'analysed';
      readonly cameraId: string;
      readonly seq: number;
      readonly analysis: Analysis;
    }
  /** A frame is finished, even if it failed. */
  | { readonly type: 'done'; readonly cameraId: string; readonly seq: number }
  | { readonly type: 'seen'; readonly seen: Seen }
  /** Heartbeat every two seconds. */
  | { readonly type: 'beat' };
