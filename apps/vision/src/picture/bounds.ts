/** How large a picture may be, judged by what its header says, before anything of it is decoded. Pure. */

/** Longest side in pixels: no camera of today makes more, and a picture one pixel wide can hide a million rows. */
const MAX_SIDE = 12_000;
export const MAX_PIXELS = 40_000_000;
/** What the picture takes in memory once it is decoded: 40 million pixels with an alpha channel of 8 bits. Bytes. */
const MAX_DECODED_BYTES = 160_000_000;

export interface PictureHeader {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly bytesPerSample: number;
  /** Frames or pages; the bound holds for all of them together. */
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

/** Whether a camera's picture has sides that a picture may have; how many pixels it may have is the decoder's own bound. */
export function hasUsualSides({
  width,
  height,
}: {
  readonly width: number;
  readonly height: number;
}): boolean {
  return Math.max(width, height) <= MAX_SIDE;
}

/** Width and height in pixels that a JPEG's header says; null for what says none. */
export function readJpegSize(jpeg: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  if (jpeg.length < 4 || view.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 <= jpeg.length && view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1);
    // Bytes that fill up before a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    // Start of frame, of any kind but the tables that lie between.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    if (marker === 0xda) return null;
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}
