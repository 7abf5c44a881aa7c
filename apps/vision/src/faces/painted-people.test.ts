/** Checks the painter's promises about its children with the product's own networks. */

import { distanceOf } from '@haris/contract/face-distance';
import { paintMjpeg } from '@haris/painter/camera';
import { paintPortrait } from '@haris/painter/portrait';
import { chosenSeeds, doubleSeeds, lookAlikeSeeds } from '@haris/painter/seeds';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadTestRecognizer } from '../testing/engine.ts';
import type { Recognizer } from './recognizer.ts';

let recognizer: Recognizer;
beforeAll(async () => {
  recognizer = await loadTestRecognizer();
});

async function encode(seed: number, pose: object = {}): Promise<number[]> {
  return (await recognizer.enrol(await paintPortrait({ seed, ...pose }))).encoding;
}

describe('the painted children', () => {
  it('are at least twelve, and all further apart than any threshold', async () => {
    expect(new Set(chosenSeeds).size).toBeGreaterThanOrEqual(12);
    const encodings: number[][] = [];
    for (const seed of chosenSeeds) encodings.push(await encode(seed));
    encodings.forEach((a, i) => {
      for (const [j, b] of encodings.entries())
        if (j > i) expect(distanceOf(a, b), `${chosenSeeds[i]} and ${chosenSeeds[j]}`).toBeGreaterThan(0.62);
    });
  });

  it.each(chosenSeeds)('%d is the same child in other light and turn', async (seed) => {
    const front = await encode(seed);
    for (const pose of [
      { light: 0.6, turn: 0.6 },
      { side: 0.8, turn: -0.6, lean: 4 },
    ])
      expect(distanceOf(front, await encode(seed, pose)), JSON.stringify(pose)).toBeLessThan(0.3);
  });

  it('has a pair of look-alikes and a pair that is taken for one child', async () => {
    const [a, b] = lookAlikeSeeds;
    const likeness = distanceOf(await encode(a), await encode(b));
    expect(likeness).toBeGreaterThan(0.56);
    expect(likeness).toBeLessThan(0.59);
    const [c, d] = doubleSeeds;
    expect(c).not.toBe(d);
    expect(distanceOf(await encode(c), await encode(d))).toBeLessThan(0.45);
  });
});

describe('the camera clip', () => {
  it.each([
    [1280, 720],
    [640, 480],
  ])('of %d × %d is JPEG pictures of the child, over 200 px wide', async (width, height) => {
    const [seed] = chosenSeeds;
    const portrait = await encode(seed);
    const clip = await paintMjpeg({ seed }, { width, height, frames: 3 });
    const starts: number[] = [];
    for (let at = clip.indexOf('ffd8ffdb', 0, 'hex'); at >= 0; at = clip.indexOf('ffd8ffdb', at + 1, 'hex'))
      starts.push(at);
    expect(starts).toHaveLength(3);
    for (const [i, start] of starts.entries()) {
      const face = await recognizer.enrol(clip.subarray(start, starts[i + 1] ?? clip.length));
      expect(face.box[2]).toBeGreaterThanOrEqual(200);
      expect(distanceOf(face.encoding, portrait)).toBeLessThan(0.3);
      expect(face.photo).toMatchObject({ width: Math.min(width, 1024) });
    }
  });
});
