import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import * as badPhotos from './bad-photos.ts';
import { featuresOf } from './features.ts';
import { paintPortrait } from './portrait.ts';
import { scramble } from './random.ts';

const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });

describe('a portrait', () => {
  it('is the same for the same seed, and another in other light, turn and for another seed', async () => {
    const first = await paintPortrait({ seed: 1 }, 200);
    expect(await paintPortrait({ seed: 1 }, 200)).toEqual(first);
    const others = [
      { seed: 2 },
      { seed: 1, light: 0.7 },
      { seed: 1, turn: 0.5 },
      { seed: 1, lean: 5 },
      { seed: 1, side: 1 },
    ];
    for (const other of others) expect((await paintPortrait(other, 200)).equals(first)).toBe(false);
  });

  it('is a square PNG of the size asked for', async () => {
    expect(await sharp(await paintPortrait({ seed: 3 }, 320)).metadata()).toMatchObject({
      format: 'png',
      width: 320,
      height: 320,
      channels: 3,
    });
  });

  it('keeps the measures of every seed inside a face', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const f = featuresOf(seed);
        const mouth = f.eyeHeight + f.noseLength + f.mouthHeight;
        expect(mouth).toBeLessThan(0.46);
        expect(f.eyeDistance).toBeGreaterThan(f.eyeWidth);
        expect(f.eyeDistance + f.eyeWidth).toBeLessThan(f.headWidth + 0.03);
        expect(featuresOf(seed)).toEqual(f);
      }),
    );
  });
});

it('scrambling gives different numbers for different seeds', () => {
  const seen = new Set<number>();
  for (let seed = 0; seed < 100_000; seed++) seen.add(scramble(seed));
  expect(seen.size).toBe(100_000);
});

it.each([
  ['paintEmptyRoom', () => badPhotos.paintEmptyRoom()],
  ['paintTwoFaces', () => badPhotos.paintTwoFaces(1, 2)],
  ['paintSmallFace', () => badPhotos.paintSmallFace(1)],
  ['paintCutOffFace', () => badPhotos.paintCutOffFace(1)],
  ['paintDarkFace', () => badPhotos.paintDarkFace(1)],
  ['paintBlurredFace', () => badPhotos.paintBlurredFace(1)],
])('%s makes a JPEG of 640 × 480', async (_name, paint) => {
  expect(await sharp(await paint()).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 480 });
});
