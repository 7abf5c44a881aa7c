/** Decodes an uploaded photo and makes the copy that may be stored. */
import { PHOTO_MAX_SIDE, STORED_PHOTO_MAX_BYTES } from '@haris/contract/constants';
import sharp from 'sharp';
import { isWithinBounds, MAX_PIXELS } from './bounds.ts';
import type { Pixels } from './pixels.ts';
import { withoutPngExtras } from './png-chunks.ts';

/** Longest side of the pixels searched for faces. More pixels take longer and yield no further face fit for enrolment. */
export const WORKING_MAX_SIDE = 1600;
const FORMATS: ReadonlySet<string | undefined> = new Set(['png', 'jpeg', 'webp']);

// A photo must not stay in memory after its request.
sharp.cache(false);
// The networks use one core; decoding on several threads would only compete with them.
sharp.concurrency(1);

/** Bytes per sample by libvips' format name. Browsers send no other formats. */
const SAMPLE_BYTES: Readonly<Record<string, number>> = { uchar: 1, ushort: 2 };

/** The bytes are not a PNG, JPEG or WebP, are broken or truncated, exceed a limit, or took too long to read. */
export class UnreadablePhotoError extends Error {
  override name = 'UnreadablePhotoError';
}

/** The photo was not read within its time. */
export class LatePhotoError extends UnreadablePhotoError {
  override name = 'LatePhotoError';
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

/** A photo as it was sent, or one that another process has decoded. */
export type PhotoInput = Uint8Array | Photo;

/** Throws {@link UnreadablePhotoError}. */
export async function readPhoto(input: PhotoInput): Promise<Photo> {
  if (!(input instanceof Uint8Array)) return input;
  try {
    const image = sharp(withoutPngExtras(input), { failOn: 'error', limitInputPixels: MAX_PIXELS });
    // Reads only the header, which is checked before anything is decoded.
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

/** Qualities of a stored photo, the best first. Photos of cameras fit with the first; noise fits with one of the last. */
const QUALITIES = [
  { quality: 90, chromaSubsampling: '4:4:4' },
  { quality: 80, chromaSubsampling: '4:4:4' },
  { quality: 70, chromaSubsampling: '4:4:4' },
  { quality: 70, chromaSubsampling: '4:2:0' },
  { quality: 50, chromaSubsampling: '4:2:0' },
  { quality: 30, chromaSubsampling: '4:2:0' },
  { quality: 10, chromaSubsampling: '4:2:0' },
] as const;

/**
 * Makes the copy that may be stored from a decoded photo, with the best quality that fits into 400 kB. Throws
 * {@link UnreadablePhotoError} if none fits.
 */
export async function makeKeptPhoto({ pixels }: Photo): Promise<KeptPhoto> {
  const { data, info } = await sharp(pixels.data, {
    raw: { width: pixels.width, height: pixels.height, channels: 3 },
  })
    .resize(PHOTO_MAX_SIDE, PHOTO_MAX_SIDE, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  for (const quality of QUALITIES) {
    const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg(quality)
      .toBuffer();
    if (jpeg.length <= STORED_PHOTO_MAX_BYTES) return { jpeg, width, height };
  }
  throw new UnreadablePhotoError('the photo does not fit');
}
