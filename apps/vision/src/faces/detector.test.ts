import { paintEmptyRoom } from '@haris/painter/bad-photos';
import { paintScene } from '@haris/painter/portrait';
import { chosenSeeds } from '@haris/painter/seeds';
import { beforeAll, expect, it } from 'vitest';
import { readPhoto } from '../picture/photo.ts';
import { Pyramid } from '../picture/pixels.ts';
import { createDetector, type Detector } from './detector.ts';
import { ensureModels } from './models/export.ts';
import { defaultModelsDir, getModel } from './models/model-files.ts';
import { loadNetwork } from './network.ts';

let detector: Detector;
beforeAll(async () => {
  await ensureModels(defaultModelsDir);
  detector = createDetector(await loadNetwork(getModel(defaultModelsDir, 'detection')));
});

async function paint(
  width: number,
  height: number,
  heads: readonly { x: number; y: number; head: number }[],
) {
  const people = heads.map((place, i) => ({ seed: chosenSeeds[i % chosenSeeds.length] ?? 1, ...place }));
  return new Pyramid((await readPhoto(await paintScene({ width, height, people }).png().toBuffer())).pixels);
}

it('finds every chosen child, once, with the eyes where they are', async () => {
  for (const seed of chosenSeeds) {
    const scene = paintScene({ width: 320, height: 320, people: [{ seed, x: 0.5, y: 0.5, head: 0.6 }] });
    const faces = await detector.detect(new Pyramid((await readPhoto(await scene.png().toBuffer())).pixels));
    expect(faces, `seed ${seed}`).toHaveLength(1);
    const [left, right] = faces[0]?.points ?? [];
    // Eyes lie between 4 % above and 8 % below the head's middle, apart by 29 to 46 % of its height of 192 px.
    expect(right?.[0] ?? 0).toBeGreaterThan((left?.[0] ?? 0) + 40);
    expect(Math.abs((left?.[1] ?? 0) - 165)).toBeLessThan(25);
  }
});

it('finds a face in a picture smaller than its input', async () => {
  expect(await detector.detect(await paint(120, 160, [{ x: 0.5, y: 0.5, head: 0.5 }]))).toHaveLength(1);
});

it('finds small faces only part by part, and none of them twice', async () => {
  const places = [0.1, 0.3, 0.5, 0.7, 0.9].flatMap((x) => [0.25, 0.7].map((y) => ({ x, y, head: 0.06 })));
  const pyramid = await paint(1280, 720, places);
  expect((await detector.detect(pyramid)).length).toBeLessThan(5);
  const faces = await detector.detectSmall(pyramid);
  expect(faces).toHaveLength(10);
  for (const { x, y } of places) {
    const here = faces.filter(
      (face) =>
        Math.abs(face.x + face.width / 2 - x * 1280) < 20 &&
        Math.abs(face.y + face.height / 2 - y * 720) < 25,
    );
    expect(here, `at ${x}, ${y}`).toHaveLength(1);
  }
});

it('finds nothing in an empty room, also part by part', async () => {
  const pyramid = new Pyramid((await readPhoto(await paintEmptyRoom())).pixels);
  expect(await detector.detectSmall(pyramid)).toEqual([]);
});
