/**
 * Photos of a few hundred kilobytes that need gigabytes of memory or minutes of work, as an attacker would send them.
 * All are valid files; only their dimensions are malicious.
 */
import { once } from 'node:events';
import { crc32, createDeflate } from 'node:zlib';
import sharp from 'sharp';

interface PngLook {
  readonly bits?: 8 | 16;
  readonly interlaced?: boolean;
}

/** A transparent PNG with four channels. */
export async function makeFlatPng(
  width: number,
  height: number,
  { bits = 16, interlaced = false }: PngLook = {},
): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, 6, 0, 0, interlaced ? 1 : 0], 8);
  // Each row starts with a filter byte; an interlaced picture has rows of seven sizes.
  const rowBytes = (columns: number): number => (columns > 0 ? 1 + (columns * 4 * bits) / 8 : 0);
  const passes = interlaced ? ADAM7 : [{ left: 0, top: 0, right: 1, down: 1 }];
  const size = passes.reduce((sum, { left, top, right, down }) => {
    const rows = Math.max(0, Math.ceil((height - top) / down));
    return sum + rows * rowBytes(Math.max(0, Math.ceil((width - left) / right)));
  }, 0);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', await deflateZeros(size)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Offset and spacing of the pixels in the seven passes of an interlaced PNG. */
const ADAM7 = [
  { left: 0, top: 0, right: 8, down: 8 },
  { left: 4, top: 0, right: 8, down: 8 },
  { left: 0, top: 4, right: 4, down: 8 },
  { left: 2, top: 0, right: 4, down: 4 },
  { left: 0, top: 2, right: 2, down: 4 },
  { left: 1, top: 0, right: 2, down: 2 },
  { left: 0, top: 1, right: 1, down: 2 },
];

function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

/** Compresses `size` zeros, never all in memory. */
async function deflateZeros(size: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 9 });
  const parts: Buffer[] = [];
  deflate.on('data', (part: Buffer) => parts.push(part));
  const block = Buffer.alloc(4 * 1024 * 1024);
  for (let left = size; left > 0; left -= block.length)
    if (!deflate.write(block.subarray(0, Math.min(left, block.length)))) await once(deflate, 'drain');
  deflate.end();
  await once(deflate, 'end');
  return Buffer.concat(parts);
}

/** A lossless WebP of one colour, in less than 40 bytes: a pixel takes no bits at all. Sides up to 16,384 pixels. */
export function makeFlatWebp(width: number, height: number): Buffer {
  const bits: number[] = [];
  const put = (value: number, count: number): void => {
    for (let i = 0; i < count; i++) bits.push((value >> i) & 1);
  };
  put(0x2f, 8);
  put(width - 1, 14);
  put(height - 1, 14);
  // No alpha, version 0; no transform, no colour cache, one prefix code group.
  put(0, 1 + 3 + 3);
  // Five prefix codes with a single symbol each: zero.
  for (let i = 0; i < 5; i++) put(1, 4);
  const data = Buffer.alloc(Math.ceil(bits.length / 16) * 2);
  for (const [i, bit] of bits.entries()) data[i >> 3] = (data[i >> 3] ?? 0) | (bit << (i & 7));
  return riff([riffChunk('VP8L', data)]);
}

/** A WebP of `frames` frames that each fill the canvas. */
export function makeAnimatedWebp(width: number, height: number, frames: number): Buffer {
  const uint24 = (value: number): Buffer => Buffer.from([value, value >> 8, value >> 16]);
  const canvas = [uint24(width - 1), uint24(height - 1)];
  const still = makeFlatWebp(width, height).subarray(12);
  const frame = Buffer.concat([uint24(0), uint24(0), ...canvas, uint24(100), Buffer.from([0]), still]);
  return riff([
    riffChunk('VP8X', Buffer.concat([Buffer.from([2, 0, 0, 0]), ...canvas])),
    riffChunk('ANIM', Buffer.alloc(6)),
    ...Array.from({ length: frames }, () => riffChunk('ANMF', frame)),
  ]);
}

function riffChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 0, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function riff(chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]);
  const head = Buffer.alloc(8);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

/** A grey JPEG. Sides up to 65,500 pixels. */
export function makeFlatJpeg(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#888' } })
    .jpeg({ progressive: true })
    .toBuffer();
}

/** A JPEG that hardly compresses: each sample is random, from a seed. */
export function makeNoiseJpeg(width: number, height: number): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3);
  let state = 1;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    data[i] = state >>> 24;
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** A sound PNG with chunks of this type before its picture, each of `size` zeros, compressed. */
export async function makeStuffedPng(
  png: Buffer,
  type: 'zTXt' | 'iTXt' | 'iCCP',
  { chunks, size }: { readonly chunks: number; readonly size: number },
): Promise<Buffer> {
  const heads = { zTXt: 'k\0\0', iTXt: 'k\0\u0001\0\0\0', iCCP: 'k\0\0' };
  const chunk = pngChunk(type, Buffer.concat([Buffer.from(heads[type]), await deflateZeros(size)]));
  // Signature and header.
  const at = 8 + 25;
  return Buffer.concat([png.subarray(0, at), ...Array<Buffer>(chunks).fill(chunk), png.subarray(at)]);
}
