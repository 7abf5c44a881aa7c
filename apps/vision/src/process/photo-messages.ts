/**
 * Messages between the hub and a photo process over IPC. Messages from the process are parsed, because it decodes photos
 * from strangers. Pixels are RGB, row by row.
 */
import { PHOTO_MAX_SIDE, STORED_PHOTO_MAX_BYTES } from '@haris/contract/constants';
import { z } from 'zod';
import { WORKING_MAX_SIDE } from '../picture/photo.ts';

/** Hub → photo process. The next order is sent only after the reply. */
export interface PhotoOrder {
  /** `read` returns upright pixels to search for faces; `keep` returns the copy that may be stored. */
  readonly type: 'read' | 'keep';
  readonly bytes: Uint8Array;
}

const bytesSchema = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const sideSchema = z.number().int().positive();

/** Photo process → hub. */
export const photoNoteSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({
    type: z.literal('read'),
    /** Size of the upright photo as it was sent. */
    width: sideSchema,
    height: sideSchema,
    pixels: z
      .object({
        data: bytesSchema,
        width: sideSchema.max(WORKING_MAX_SIDE),
        height: sideSchema.max(WORKING_MAX_SIDE),
      })
      .refine(({ data, width, height }) => data.length === width * height * 3),
  }),
  z.object({
    type: z.literal('kept'),
    jpeg: bytesSchema.refine(({ length }) => length <= STORED_PHOTO_MAX_BYTES),
    width: sideSchema.max(PHOTO_MAX_SIDE),
    height: sideSchema.max(PHOTO_MAX_SIDE),
  }),
  z.object({ type: z.literal('unreadable') }),
]);
export type PhotoNote = z.infer<typeof photoNoteSchema>;
