import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { VISION_SERVER_HEADER, visionPaths } from '@haris/contract/vision';
import { type CameraReport, VISION_LIVE_PATH } from '@haris/contract/vision-live';
import { chosenSeeds } from '@haris/painter/seeds';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { apartClip, makeClip } from '../testing/clips.ts';
import { drawPicture } from '../testing/compose.ts';
import { fileCamera, of, openSession, type Session, shownIn } from '../testing/session.ts';
import { type ReceivedPicture, startTestVision, type TestVision } from '../testing/vision.ts';

// These tests measure no times, so the limits are long enough for a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** Shorter limits than in the product: the tests check consequences and their order. */
const LIMITS = { beatMs: 200, frozenAfterMs: 3_000, hungAfterMs: 5_000, cameraPauseMs: 100 };
const within = { timeout: 240_000, interval: 50 };

let vision: TestVision;
let session: Session;
let clip: string;
const encodings = new Map<string, number[]>();

beforeAll(async () => {
  [clip, vision] = await Promise.all([makeClip(apartClip, 'mp4'), startTestVision(LIMITS)]);
  session = openSession(vision);
  for (const [i, id] of ['amal', 'badr', 'celia'].entries())
    encodings.set(id, await vision.enrol(chosenSeeds[i] ?? 0));
});
afterAll(() => vision?.stop());
beforeEach(async () => {
  await session.clear();
  await session.setChildren(encodings);
});

const reportsOf = (cameraId: string): CameraReport[] =>
  vision.notes.flatMap((note) =>
    note.type === 'report' && note.report.cameraId === cameraId ? [note.report] : [],
  );

const sharp = (childId: string): Promise<ReceivedPicture> =>
  vision.wait(`${childId} sharp`, () =>
    vision.pictures.find((picture) => shownIn(picture).includes(childId)),
  );

it('a camera process that is killed comes back, and no other camera notices', async () => {
  session.setCameras(fileCamera('hall', clip));
  await vision.waitFor('hall', 'live');
  const [hall] = vision.children().filter(({ program }) => program === 'camera');
  session.setCameras(fileCamera('hall', clip), fileCamera('yard', clip));
  session.watch(1, ['amal']);
  await vision.waitFor('yard', 'live');
  await sharp('amal');
  vision.forget();
  process.kill(hall?.pid ?? 0, 'SIGKILL');
  expect(await vision.waitFor('hall', 'stalled')).toMatchObject({ problem: 'no_picture' });
  // An earlier report also says live.
  vision.forget();
  expect(await vision.waitFor('hall', 'live')).toMatchObject({ reconnects: 1, problem: null });
  await sharp('amal');
  const yard = vision.notes.filter((note) => note.type === 'report' && note.report.cameraId === 'yard');
  expect(yard.every((note) => note.type === 'report' && note.report.state === 'live')).toBe(true);
});

it('a camera process that hangs is no longer live, is replaced, and no other camera notices', async () => {
  session.setCameras(fileCamera('hall', clip));
  await vision.waitFor('hall', 'live');
  const [hall] = vision.children().filter(({ program }) => program === 'camera');
  session.setCameras(fileCamera('hall', clip), fileCamera('yard', clip));
  session.watch(1, ['amal']);
  await vision.waitFor('yard', 'live');
  vision.forget();
  process.kill(hall?.pid ?? 0, 'SIGSTOP');
  // The camera first counts as frozen, and later its process as hung.
  expect(await vision.waitFor('hall', 'stalled')).toMatchObject({ problem: 'frozen', reconnects: 0 });
  const hung = await vision.wait('hall hung', () =>
    reportsOf('hall').find(({ problem }) => problem === 'hung'),
  );
  expect(hung).toMatchObject({ state: 'stalled', reconnects: 0 });
  await waitUntil(() => !isRunning(hall?.pid ?? 0));
  vision.forget();
  expect(await vision.waitFor('hall', 'live')).toMatchObject({ reconnects: 1, problem: null });
  await sharp('amal');
  expect(reportsOf('yard').every(({ state }) => state === 'live')).toBe(true);
});

it('a faces process that hangs is replaced by itself, also while nothing is asked of it', async () => {
  const facesPid = (): number | undefined =>
    vision.children().find(({ program }) => program === 'faces')?.pid;
  const hung = facesPid() ?? 0;
  process.kill(hung, 'SIGSTOP');
  await waitUntil(() => !isRunning(hung));
  expect(vision.output()).toContain('the faces process hangs');
  session.setCameras(fileCamera('hall', clip));
  session.watch(1, ['amal']);
  await sharp('amal');
  expect(facesPid()).not.toBe(hung);
});

it('without the faces process nobody is sharp; pictures go on, and names come back with it', async () => {
  session.setCameras(fileCamera('hall', clip));
  session.watch(1, ['amal']);
  await sharp('amal');
  const [faces] = vision.children().filter(({ program }) => program === 'faces');
  process.kill(faces?.pid ?? 0, 'SIGKILL');
  await vision.wait('its end', () => vision.output().includes('the faces process ended'));
  const since = Date.now();
  vision.forget();
  const blind = await vision.wait('a picture without it', () =>
    vision.pictures.find(({ header }) => header.capturedAt > since),
  );
  expect(shownIn(blind)).toEqual([]);
  expect((await fetch(vision.url + visionPaths.health)).status).toBe(200);
  await sharp('amal');
});

it('fills privacy zones with one colour, from the picture on in which they are drawn', async () => {
  // Over the face of the child in the middle, and a triangle at the edge.
  const zones = [
    [
      [0.38, 0.2],
      [0.62, 0.2],
      [0.62, 0.55],
      [0.38, 0.55],
    ],
    [
      [0.8, 0],
      [1, 0],
      [1, 0.3],
    ],
  ] satisfies [number, number][][];
  session.setCameras(fileCamera('hall', clip, { zones }));
  session.watchWhole(1);
  session.watch(3, ['amal', 'badr']);
  session.watchWhole(5, { format: 'jpeg' });
  await sharp('amal');
  // Away from the edge: its JPEG blocks, of 16 pixels, carry what lies beside the zone into it. What families get is smaller
  // than such a block: camera/zones-noninterference.test.ts holds it byte for byte, and the test of confirmed zones below.
  const coloursWithin = async (picture: ReceivedPicture): Promise<number> => {
    const { data, width, height } = await drawPicture(picture);
    const colours = new Set<string>();
    for (let y = Math.ceil(0.2 * height) + 16; y < 0.55 * height - 16; y++)
      for (let x = Math.ceil(0.38 * width) + 16; x < 0.62 * width - 16; x++)
        colours.add(data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3).toString('hex'));
    return colours.size;
  };
  for (const subscription of [1, 5]) {
    const whole = await vision.wait(`subscription ${subscription}`, () =>
      vision.pictures.find(of(subscription)),
    );
    expect(await coloursWithin(whole), `subscription ${subscription}`).toBe(1);
  }
  // No face is found behind a zone.
  expect(vision.pictures.flatMap(shownIn)).not.toContain('badr');

  session.setCameras(fileCamera('hall', clip));
  await sharp('badr');
  // The same place without a zone, as a control.
  vision.forget();
  const open = await vision.wait('a picture without zones', () => vision.pictures.find(of(1)));
  expect(await coloursWithin(open)).toBeGreaterThan(1);
  expect(vision.notes.some((note) => note.type === 'report' && note.report.state === 'stalled')).toBe(false);
});

it('takes no command and shows nothing to who has no token, and ends a session that speaks nonsense', async () => {
  for (const headers of [{}, { authorization: 'Bearer wrong' }]) {
    const stranger = new WebSocket(vision.url.replace('http', 'ws') + VISION_LIVE_PATH, { headers });
    const [error] = await once(stranger, 'error');
    expect(error.message).toContain('401');
  }
  const own = await startTestVision();
  try {
    const mine = openSession(own);
    mine.setCameras(fileCamera('hall', clip));
    await own.waitFor('hall', 'live');
    expect(own.children()).toHaveLength(2);
    own.command(JSON.parse('{"type":"recognition","inside":"all"}'));
    await own.closed;
    // The camera's process ends with the session; the faces process stays for photos.
    await waitUntil(() => own.children().length === 1);
    expect((await own.enrol(chosenSeeds[0])).length).toBe(128);
  } finally {
    await own.stop();
  }
});

it('is controlled by one server: another is refused, also its calls, until the first says farewell or is gone', async () => {
  const own = await startTestVision({ pingMs: 1_000, graceMs: 1_000 });
  try {
    const mine = openSession(own);
    mine.setCameras(fileCamera('hall', clip));
    await own.waitFor('hall', 'live');
    expect(await own.openAs('another-server')).toBe(409);
    const gallery = (server: string) =>
      fetch(own.url + visionPaths.gallery, {
        method: 'PUT',
        headers: {
          authorization: 'Bearer a-token-of-the-tests',
          'content-type': 'application/json',
          [VISION_SERVER_HEADER]: server,
        },
        body: JSON.stringify({ revision: 1, entries: [] }),
      });
    const refused = await gallery('another-server');
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      409,
      'engine_taken',
    ]);
    expect((await gallery('')).status).toBe(409);
    own.forget();
    await own.waitFor('hall', 'live');

    own.hangUp();
    await own.closed;
    // The other takes it at once after a farewell, but does not answer pings: half open, as after a power cut.
    const half = await own.openAs('another-server', { autoPong: false });
    expect(half).toBeInstanceOf(WebSocket);
    expect(await own.openAs('a-third-server')).toBe(409);
    await once(half as WebSocket, 'close');
    expect((await gallery('a-third-server')).status).toBe(409);
    await expect.poll(() => own.openAs('a-third-server'), within).toBeInstanceOf(WebSocket);
  } finally {
    await own.stop();
  }
});

it('confirms zones once every further picture has them, and passes on none that was made before', async () => {
  const zones: [number, number][][] = [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ],
  ];
  session.setCameras(fileCamera('hall', clip));
  session.watchWhole(1);
  session.watch(3, ['amal']);
  session.watch(4, ['amal'], { format: 'jpeg' });
  await vision.wait('a picture', () => vision.pictures.find(of(1)));
  const [camera] = vision.children().filter((child) => child.program === 'camera');
  const isCovered = () => vision.notes.some((note) => note.type === 'covered');
  // Held, as on a busy machine: pictures without zones may be under way.
  process.kill(camera?.pid ?? 0, 'SIGSTOP');
  try {
    const cameras = [
      fileCamera('hall', clip, { zones }),
      fileCamera('marker', '/nowhere', { enabled: false }),
    ];
    vision.command({ type: 'cameras', cameras, revision: 7 });
    // This report comes after whatever the hub had taken before the command.
    await vision.waitFor('marker', 'off');
    expect(isCovered()).toBe(false);
    vision.forget();
  } finally {
    process.kill(camera?.pid ?? 0, 'SIGCONT');
  }
  await vision.wait('the confirmation', isCovered);
  expect(vision.notes.find((note) => note.type === 'covered')).toEqual({ type: 'covered', revision: 7 });
  const ways = [1, 3, 4];
  await vision.wait('pictures', () =>
    ways.every((subscription) => vision.pictures.filter(of(subscription)).length > 2),
  );
  // Whole and for families, in layers and composed: nothing but the colour of the zone.
  for (const picture of vision.pictures) {
    const { data, width, height } = await drawPicture(picture);
    const colour = data.subarray(0, 3);
    expect(data.equals(Buffer.alloc(width * height * 3, colour)), JSON.stringify(picture.header)).toBe(true);
  }
});

it('ends all processes with its session and with itself, however it ends, without a word', async () => {
  const own = await startTestVision();
  const mine = openSession(own);
  mine.setCameras(fileCamera('hall', clip), fileCamera('yard', clip));
  mine.watchWhole(1);
  mine.watchWhole(2, { cameraId: 'yard' });
  await own.waitFor('hall', 'live');
  await own.waitFor('yard', 'live');
  await own.wait('pictures', () => own.pictures.some(of(1)) && own.pictures.some(of(2)));
  const children = own.children();
  expect(children).toHaveLength(3);
  // Held meanwhile, so that they have something to say before they learn that nobody is there.
  for (const { pid } of children) process.kill(pid, 'SIGSTOP');
  process.kill(own.pid(), 'SIGKILL');
  await waitUntil(() => !isRunning(own.pid()));
  // At least as long as a picture lasts and a second between two reports; longer on a busy machine, which changes nothing.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  for (const { pid } of children) process.kill(pid, 'SIGCONT');
  await waitUntil(() => children.every(({ pid }) => !isRunning(pid)));
  expect(own.output()).not.toMatch(/Unhandled|EPIPE/);
});

it('memory stops growing while subscriptions come and go by the hundred', async () => {
  session.setCameras(fileCamera('hall', clip));
  await vision.waitFor('hall', 'live');
  const round = async (): Promise<void> => {
    for (let i = 0; i < SUBSCRIPTIONS; i++) {
      session.watch(i % 20, i % 2 ? ['amal', 'badr'] : ['celia'], { format: i % 3 ? 'layers' : 'jpeg' });
      if (i % 5 === 0) session.watchWhole((i + 7) % 20);
      if (i % 10 === 9) {
        const since = Date.now();
        await vision.wait('a picture', () => vision.pictures.some(({ header }) => header.capturedAt > since));
        vision.forget();
      }
      vision.command({ type: 'unsubscribe', subscription: (i + 3) % 20 });
    }
  };
  const memory = (): number[] => [vision.pid(), ...vision.children().map(({ pid }) => pid)].map(residentOf);
  // Heaps and the decoder's pools grow for a while. What leaks grows in every round, by what it leaks each time.
  let before = memory();
  for (let rounds = 1; ; rounds++) {
    await round();
    const after = memory();
    expect(after).toHaveLength(before.length);
    const growth = after.map((kilobytes, i) => kilobytes - (before[i] ?? 0));
    if (Math.max(...growth) < SUBSCRIPTIONS * LEAK_KILOBYTES) return;
    expect(rounds, `grew by ${growth} kB`).toBeLessThan(ROUNDS);
    before = after;
  }
});

const SUBSCRIPTIONS = 100;
const ROUNDS = 20;
/** Memory that one leaked subscription would keep. Kilobytes. */
const LEAK_KILOBYTES = 100;

function isRunning(pid: number): boolean {
  try {
    // A process that has ended but was not asked about yet has no memory any more.
    return residentOf(pid) > 0;
  } catch {
    return false;
  }
}

/** Memory in kilobytes. */
function residentOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
}

async function waitUntil(condition: () => boolean): Promise<void> {
  await expect.poll(condition, within).toBe(true);
}
