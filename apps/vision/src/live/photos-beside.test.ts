/** Sends harmful photos while a camera is watched: only their sender is affected, and the live picture continues. */
import { makeFlatPng, makeFlatWebp } from '@haris/painter/huge-photos';
import { paintPortrait } from '@haris/painter/portrait';
import { chosenSeeds } from '@haris/painter/seeds';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { apartClip, makeClip } from '../testing/clips.ts';
import { fileCamera, openSession, type Session, shownIn } from '../testing/session.ts';
import { startTestVision, type TestVision } from '../testing/vision.ts';

// These tests measure no times, so the limits are long enough for a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let vision: TestVision;
let session: Session;
let portrait: Buffer;

beforeAll(async () => {
  const [clip, started] = await Promise.all([makeClip(apartClip, 'mp4'), startTestVision()]);
  vision = started;
  portrait = await paintPortrait({ seed: chosenSeeds[0] });
  session = openSession(vision);
  await session.setChildren(new Map([['amal', await vision.enrol(chosenSeeds[0])]]));
  session.setCameras(fileCamera('hall', clip));
  session.watch(1, ['amal']);
});
afterAll(() => vision?.stop());
beforeEach(() => waitForSharp());

/** Checks the whole path: the camera is read, faces are found and named, and parents get the picture. */
async function waitForSharp(): Promise<void> {
  const since = Date.now();
  await vision.wait('the child sharp', () =>
    vision.pictures.some((picture) => picture.header.capturedAt > since && shownIn(picture).includes('amal')),
  );
  vision.forget();
}

const pidsOf = (program: 'faces' | 'camera' | 'photo'): number[] =>
  vision
    .children()
    .filter((child) => child.program === program)
    .map(({ pid }) => pid);

it('two who send huge pictures are refused one after the other, and the live picture goes on between', async () => {
  const before = {
    hub: vision.pid(),
    faces: pidsOf('faces'),
    camera: pidsOf('camera'),
    photo: pidsOf('photo'),
  };
  const bombs = await Promise.all([
    makeFlatPng(1, 40_000_000),
    makeFlatPng(40_000_000, 1),
    makeFlatPng(6_400, 6_400, { interlaced: true }),
    makeFlatWebp(16_383, 16_383),
  ]);
  const senders = [bombs, bombs.toReversed()].map(async (mine) => {
    for (const bomb of mine) {
      expect(await vision.sendPhoto(bomb)).toEqual({ status: 422, code: 'unreadable_photo' });
      await waitForSharp();
    }
  });
  await Promise.all(senders);
  expect({
    hub: vision.pid(),
    faces: pidsOf('faces'),
    camera: pidsOf('camera'),
    photo: pidsOf('photo'),
  }).toEqual(before);
  expect(vision.output()).not.toMatch(/took too long|ended/);
});

it('a photo whose process hangs is given up alone: staff’s photos and the live picture go on meanwhile', async () => {
  const [faces] = pidsOf('faces');
  // On a machine that is too busy to look at a staff photo before the hung one is given up, the next round shows it.
  for (let wasMeanwhile = false; !wasMeanwhile; ) {
    expect(await vision.sendPhoto(portrait, 'public')).toEqual({ status: 200 });
    const [hung = 0] = pidsOf('photo');
    process.kill(hung, 'SIGSTOP');
    let answered = false;
    const stuck = vision.sendPhoto(portrait, 'public').finally(() => {
      answered = true;
    });
    const waiting = vision.sendPhoto(portrait, 'public');
    expect(await vision.sendPhoto(portrait, 'staff')).toEqual({ status: 200 });
    await waitForSharp();
    wasMeanwhile = !answered;
    // The photo that hung is refused; the next one gets a new process.
    expect(await stuck).toEqual({ status: 422, code: 'unreadable_photo' });
    expect(await waiting).toEqual({ status: 200 });
    expect(pidsOf('photo')).not.toContain(hung);
  }
  expect(pidsOf('faces')).toEqual([faces]);
  await waitForSharp();
});

it('a photo process that is killed is replaced by the next photo', async () => {
  expect(await vision.sendPhoto(portrait)).toEqual({ status: 200 });
  const ends = (): number => vision.output().split('a photo process ended').length - 1;
  const [before, pids] = [ends(), pidsOf('photo')];
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await expect.poll(ends, { timeout: 240_000 }).toBe(before + pids.length);
  expect(await vision.sendPhoto(portrait)).toEqual({ status: 200 });
  expect(await vision.sendPhoto(portrait, 'staff')).toEqual({ status: 200 });
});
