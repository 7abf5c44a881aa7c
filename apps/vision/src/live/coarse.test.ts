/**
 * Tests the coarse room against an attacker who knows all children and the place of each face: faces are recognised no
 * better than by chance. `npm run bench:privacy` tests the same on thousands of pictures, and on photos.
 */

import { distanceOf } from '@haris/contract/face-distance';
import { paintPortrait } from '@haris/painter/portrait';
import { chosenSeeds } from '@haris/painter/seeds';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { judge, type Probe } from '../testing/chance.ts';
import { drawPicture } from '../testing/compose.ts';
import { type Eye, openEye } from '../testing/eye.ts';
import { cutHead, type Head, type Place, Stage } from '../testing/heads.ts';
import { of, openSession } from '../testing/session.ts';
import { type ReceivedPicture, startTestVision, type TestVision } from '../testing/vision.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const [WIDTH, HEIGHT] = [800, 360];
/** Widths of faces, parts of the picture's height: in 32 rows 6 to 12 pixels, if nobody made them coarser. */
const SIZES = [0.2, 0.26, 0.32, 0.37];
/** One of a thousand random draws is further from chance. */
const MOST_Z = 3;
const [STAFF, PARENT] = [0, 1];

let vision: TestVision;
let eye: Eye;
let stage: Stage;
const heads: Head[] = [];

beforeAll(async () => {
  [vision, eye, stage] = await Promise.all([startTestVision(), openEye(), Stage.build(WIDTH, HEIGHT)]);
  for (const seed of [...chosenSeeds, 7_000_021, 8_000_024, 9_000_027, 10_000_030]) {
    const head = await cutHead(eye, String(seed), await paintPortrait({ seed }, 400));
    if (!head) throw new Error('a portrait without a face');
    heads.push(head);
  }
});
afterAll(() => vision?.stop());

it('whose face it is can be told from what staff get, and no better than by chance from what parents get', async () => {
  const session = openSession(vision);
  await session.setChildren(new Map(heads.map(({ id, encoding }) => [id, [...encoding]])));
  session.setCameras({ id: 'hall', kind: 'browser', url: null, zones: [], enabled: true });
  await vision.waitFor('hall', 'connecting');
  const probes = { staff: [] as Probe[], parents: [] as Probe[] };
  const add = (list: Probe[], head: Head, encoding: Float32Array | undefined): void => {
    const distances = heads.map((other) => distanceOf(other.encoding, encoding ?? []));
    list.push({ person: heads.indexOf(head), distances });
  };
  // Show each child twice, with a different place, size and neighbours.
  for (let scene = 0; scene < 8; scene++) {
    const cast = SIZES.map((_, i) => heads[(scene * 4 + i * (scene < 4 ? 1 : 5)) % heads.length] as Head);
    session.watchWhole(STAFF, { format: 'jpeg' });
    // A parent whose child is in another room: nobody is sharp.
    session.watch(PARENT, ['elsewhere'], { format: scene % 2 === 0 ? 'jpeg' : 'layers' });
    for (let picture = 0; picture < 4; picture++) {
      const places = cast.map((head, i): Place => {
        const width = (SIZES[(i + scene) % SIZES.length] ?? 0) * HEIGHT;
        return { head, width, x: (0.13 + 0.245 * i) * WIDTH + 5 * picture, y: 0.45 * HEIGHT + 3 * picture };
      });
      const { jpeg, people } = await stage.show(places);
      const [whole, coarse] = await take(jpeg);
      if (picture < 2) continue;
      const landmarks = people.map((one) => one.landmarks);
      for (const [i, encoding] of (await eye.lookAt(await drawPicture(coarse), landmarks)).entries())
        add(probes.parents, cast[i] as Head, encoding);
      if (picture !== 2) continue;
      for (const [i, encoding] of (await eye.lookAt(await drawPicture(whole), landmarks)).entries())
        add(probes.staff, cast[i] as Head, encoding);
    }
  }
  const staff = judge(probes.staff);
  expect(staff).toMatchObject({ people: heads.length, rankOne: 1 });
  const parents = judge(probes.parents);
  expect(parents.probes).toBe(64);
  expect(parents.z).toBeLessThan(MOST_Z);
});

/** Shows a picture to the camera until each viewer has it, because a viewer still busy with another picture misses it. */
async function take(jpeg: Buffer): Promise<[ReceivedPicture, ReceivedPicture]> {
  vision.forget();
  const pushedAt = Date.now();
  const push = (): void => vision.push('hall', jpeg);
  const again = setInterval(push, 500);
  push();
  const one = (subscription: number): Promise<ReceivedPicture> =>
    vision.wait(`a picture for ${subscription}`, () =>
      vision.pictures.find((p) => of(subscription)(p) && p.header.capturedAt >= pushedAt),
    );
  try {
    return await Promise.all([one(STAFF), one(PARENT)]);
  } finally {
    clearInterval(again);
  }
}
