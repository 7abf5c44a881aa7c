/** Drops what a PNG carries beside its picture, before a decoder unpacks it. Pure; decodes nothing. */

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Length, type and checksum of a chunk. Bytes. */
const AROUND = 12;
/** Texts, which a decoder would unpack to any size and nobody reads. */
const DROPPED: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt']);
/** A camera's or browser's colour profile has some 3 kB; what is larger unpacks to megabytes. Bytes. */
const PROFILE_MAX_BYTES = 16_384;

/** Returns the PNG without texts and without colour profiles over 16 kB; other bytes, and broken PNGs, unchanged. */
export function withoutPngExtras(bytes: Uint8Array): Uint8Array {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return bytes;
  const kept: Buffer[] = [SIGNATURE];
  /** Start of the chunks that are kept since the last one that was dropped. */
  let from = SIGNATURE.length;
  let at = from;
  while (at + AROUND <= png.length) {
    const length = png.readUInt32BE(at);
    const end = at + AROUND + length;
    // The decoder refuses it.
    if (end > png.length) break;
    const type = png.toString('latin1', at + 4, at + 8);
    if (DROPPED.has(type) || (type === 'iCCP' && length > PROFILE_MAX_BYTES)) {
      kept.push(png.subarray(from, at));
      from = end;
    }
    at = end;
  }
  return from === SIGNATURE.length ? bytes : Buffer.concat([...kept, png.subarray(from)]);
}
