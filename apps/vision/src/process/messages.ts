/**
 * What the hub and its children tell each other over IPC. The hub believes no child: what a camera's process sends is
 * parsed, since that process reads what comes from outside. Pixels are RGB, row by row.
 */
import { type CameraTask, cameraReportSchema, type VisionView } from '@haris/contract/vision-live';
import { z } from 'zod';
import type { FaceProblem } from '../faces/quality.ts';
import type { Photo } from '../picture/photo.ts';
import type { Analysis, Roster, Seen } from '../recognition/live.ts';

/** How often a process below the hub gives a sign of life, and how long a silent one is waited for. Milliseconds. */
export const BEAT_EVERY_MS = 2_000;
export const HUNG_AFTER_MS = 10_000;

/** Pictures of cameras are made at most this long before anything else. Pixels. */
export const PICTURE_MAX_SIDE = 1280;

export const cameraProblemSchema = cameraReportSchema.shape.problem.unwrap();
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
  | { readonly type: 'zones'; readonly zones: CameraTask['zones'] }
  | { readonly type: 'subscriptions'; readonly subscriptions: readonly Subscription[] }
  /** Whether faces are looked for at all now; without, all pictures for parents are coarse. */
  | { readonly type: 'recognition'; readonly up: boolean }
  | { readonly type: 'analysed'; readonly seq: number; readonly analysis: Analysis }
  /** The faces process is done with this picture: it may get the next. */
  | { readonly type: 'next'; readonly seq: number }
  /** A picture of this subscription left the hub: the next may come. */
  | { readonly type: 'taken'; readonly subscription: number }
  /** A picture that a device sent, for a camera of kind `browser`. */
  | { readonly type: 'jpeg'; readonly capturedAt: number; readonly jpeg: Uint8Array };

const bytesSchema = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const sideSchema = z.number().int().positive().max(PICTURE_MAX_SIDE);
const boxSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** Camera → hub. */
export const cameraNoteSchema = z.discriminatedUnion('type', [
  /** It cannot go on, and ends. */
  z.object({ type: z.literal('problem'), problem: cameraProblemSchema }),
  /** Once a second while pictures come; `width` and `height` as the camera sends them. */
  z.object({
    type: z.literal('status'),
    fps: z.number().nonnegative(),
    width: z.number().int().positive(),
    height: z.number().int().positive(),
    lastFrameAt: z.number(),
  }),
  /** A picture to look for faces in. One at a time: the next follows the answer. */
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
            /** Parts of the picture. */
            box: boxSchema,
            childId: z.string().optional(),
            feather: z.number().optional(),
          }),
        ),
        /** Children that are sharp in a composed picture, whose layers do not say it. */
        shown: z.array(z.string()),
        faces: z.array(z.object({ box: boxSchema, subjectId: z.string().nullable() })).optional(),
      }),
    ),
  }),
  /** The device's last picture was read: the next may come. */
  z.object({ type: z.literal('jpegTaken') }),
  /** A sign of life, every two seconds, with or without pictures. */
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
      /** Read by a photo process. */
      readonly photo: Photo;
    }
  | { readonly type: 'roster'; readonly roster: Roster }
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

/** What went wrong with a photo: a reason that its sender is told, or null for a failure of the engine. */
type PhotoFailure =
  | { readonly name: 'UnreadablePhotoError' }
  | { readonly name: 'FaceProblemError'; readonly problem: FaceProblem }
  | null;

/** Faces → hub. The process is our own and reads no stream: its word is taken. */
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
  /** A picture was dealt with, also when it failed. */
  | { readonly type: 'done'; readonly cameraId: string; readonly seq: number }
  | { readonly type: 'seen'; readonly seen: Seen }
  /** A sign of life, every two seconds. */
  | { readonly type: 'beat' };
