/** Reads a photo as a browser sends it, and makes the one that may be kept. Knows no face. */
import { PHOTO_MAX_SIDE } from '@haris/contract/constants';
import sharp from 'sharp';
import { isWithinBounds, MAX_PIXELS } from './bounds.ts';
import type { Pixels } from './pixels.ts';

/** Longest side of the pixels that are searched for faces: more costs time and finds no further face worth enrolling. */
export const WORKING_MAX_SIDE = 1600;
const FORMATS: ReadonlySet<string | undefined> = new Set(['png', 'jpeg', 'webp']);

// A photo must not stay in memory after its request.
sharp.cache(false);
// The networks take one core; a photo in parts on several would only fight with them.
sharp.concurrency(1);

/** Bytes of a sample by libvips' names of them; formats with others are none that a browser sends. */
const SAMPLE_BYTES: Readonly<Record<string, number>> = { uchar: 1, ushort: 2 };

/** The bytes are no PNG, JPEG or WebP, broken, cut short, larger than a photo may be, or took too long to read. */
export class UnreadablePhotoError extends Error {
  override name = 'UnreadablePhotoError';
}

export interface Photo {
  /** Size of the upright photo as it was sent, in pixels. */
  readonly width: number;
  readonly height: number;
  /** The upright photo in sRGB, shrunk (never enlarged) to 1600 pixels at the longest side. */
  readonly pixels: Pixels;
}

/** The photo as it may be kept: upright sRGB JPEG without metadata. */
export interface KeptPhoto {
  readonly jpeg: Buffer;
  readonly width: number;
  readonly height: number;
}

/** A photo as it was sent, or one that another process has read already. */
export type PhotoInput = Uint8Array | Photo;

/** Throws {@link UnreadablePhotoError}. */
export async function readPhoto(input: PhotoInput): Promise<Photo> {
  if (!(input instanceof Uint8Array)) return input;
  try {
    const image = sharp(input, { failOn: 'error', limitInputPixels: MAX_PIXELS });
    // The header alone: nothing is decoded before it was judged.
    const metadata = await image.metadata();
    if (!FORMATS.has(metadata.format)) throw new UnreadablePhotoError();
    const { width, height } = metadata.autoOrient;
    const bytesPerSample = SAMPLE_BYTES[metadata.depth];
    if (bytesPerSample === undefined) throw new UnreadablePhotoError();
    const { channels, pages: frames = 1 } = metadata;
    if (!isWithinBounds({ width, height, channels, bytesPerSample, frames }))
      throw new UnreadablePhotoError();
    const { data, info } = await image
      .autoOrient()
      .resize(WORKING_MAX_SIDE, WORKING_MAX_SIDE, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .toColorspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const rgb =
      info.channels === 3 ? data : Buffer.from(Array.from(data).flatMap((grey) => [grey, grey, grey]));
    return { width, height, pixels: { data: rgb, width: info.width, height: info.height } };
  } catch (error) {
    if (error instanceof UnreadablePhotoError) throw error;
    throw new UnreadablePhotoError('the photo cannot be read', { cause: error });
  }
}

/** Makes the photo that may be kept from one that was read. */
export async function makeKeptPhoto({ pixels }: Photo): Promise<KeptPhoto> {
  const { data, info } = await sharp(pixels.data, {
    raw: { width: pixels.width, height: pixels.height, channels: 3 },
  })
    .resize(PHOTO_MAX_SIDE, PHOTO_MAX_SIDE, { fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
    .toBuffer({ resolveWithObject: true });
  return { jpeg: data, width: info.width, height: info.height };
}
