import { makeStuffedPng } from '@haris/painter/huge-photos';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { withoutPngExtras } from './png-chunks.ts';

let png: Buffer;
beforeAll(async () => {
  png = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
});

const typesOf = (bytes: Uint8Array) =>
  ['zTXt', 'iTXt', 'iCCP', 'eXIf', 'IDAT'].filter((type) => Buffer.from(bytes).includes(type));

describe('a PNG', () => {
  it.each(['zTXt', 'iTXt'] as const)('loses its %s, and nothing else', async (type) => {
    const stuffed = await makeStuffedPng(png, type, { chunks: 3, size: 1000 });
    expect(typesOf(stuffed)).toContain(type);
    expect(Buffer.from(withoutPngExtras(stuffed)).equals(png)).toBe(true);
  });

  it('loses a colour profile that is too large for one, and keeps a usual one with the orientation', async () => {
    const large = await makeStuffedPng(png, 'iCCP', { chunks: 1, size: 40_000_000 });
    expect(Buffer.from(withoutPngExtras(large)).equals(png)).toBe(true);
    const usual = await sharp(png).withIccProfile('p3').withMetadata({ orientation: 6 }).png().toBuffer();
    expect(typesOf(usual)).toEqual(expect.arrayContaining(['iCCP', 'eXIf']));
    expect(withoutPngExtras(usual)).toBe(usual);
  });

  it('that is cut off, or lies about a length, stays for the decoder to refuse', async () => {
    const cut = png.subarray(0, 40);
    expect(withoutPngExtras(cut)).toBe(cut);
    const lying = Buffer.from(png);
    lying.writeUInt32BE(0xffff_ffff, 33);
    expect(withoutPngExtras(lying)).toBe(lying);
  });
});

it('leaves other formats alone', async () => {
  const jpeg = await sharp(png).jpeg().toBuffer();
  expect(withoutPngExtras(jpeg)).toBe(jpeg);
});
