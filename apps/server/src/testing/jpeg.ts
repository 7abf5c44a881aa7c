/** Reads the headers of a JPEG file. */

export interface JpegSegments {
  /** Pixels, as stored. */
  readonly width: number;
  readonly height: number;
  /** Markers before the picture, such as 0xe1 for EXIF. */
  readonly markers: number[];
}

/** Reads the segments before the picture. Throws if the bytes are not a JPEG. */
export function jpegSegments(bytes: Buffer): JpegSegments {
  if (bytes.readUInt16BE(0) !== 0xffd8) throw new Error('not a JPEG');
  const markers: number[] = [];
  let size = { width: 0, height: 0 };
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) throw new Error('not a segment');
    markers.push(marker);
    // Any start-of-frame marker; the excluded markers are tables.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    // Start of scan: the picture.
    if (marker === 0xda) return { ...size, markers };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  throw new Error('no picture');
}
