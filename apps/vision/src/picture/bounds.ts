/** Limits on the size of a picture, checked on its header before anything is decoded. Pure. */

/** Longest side in pixels. No camera exceeds it today, and a picture one pixel wide could have a million rows. */
const MAX_SIDE = 12_000;
export const MAX_PIXELS = 40_000_000;
/** Most memory of a decoded picture: 40 million pixels with an 8-bit alpha channel. Bytes. */
const MAX_DECODED_BYTES = 160_000_000;

export interface PictureHeader {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly bytesPerSample: number;
  /** Frames or pages; the limit applies to all of them together. */
  readonly frames: number;
}

export function isWithinBounds({ width, height, channels, bytesPerSample, frames }: PictureHeader): boolean {
  const pixels = width * height * frames;
  return (
    Math.max(width, height) <= MAX_SIDE &&
    pixels <= MAX_PIXELS &&
    pixels * channels * bytesPerSample <= MAX_DECODED_BYTES
  );
}

/** Whether the sides of a camera's picture are within the limit. The decoder limits the number of pixels. */
export function hasUsualSides({
  width,
  height,
}: {
  readonly width: number;
  readonly height: number;
}): boolean {
  return Math.max(width, height) <= MAX_SIDE;
}

/** Width and height in pixels from a JPEG's header; null without one. */
export function readJpegSize(jpeg: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  if (jpeg.length < 4 || view.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 <= jpeg.length && view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1);
    // Padding before a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    // Start of frame of any kind; the other markers in this range are tables.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    if (marker === 0xda) return null;
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}
