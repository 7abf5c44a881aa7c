import { appendFile, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CameraTask } from '@haris/contract/vision-live';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { apartClip, makeClip } from '../testing/clips.ts';
import { paintJpegs, startMjpegServer, startRtspServer } from '../testing/sources.ts';
import { startTestVision, type TestVision } from '../testing/vision.ts';

const login = { user: 'nursery', password: 'mid:night@7' };
const secret = encodeURIComponent(login.password);
const smallClip = { ...apartClip, width: 320, height: 240, frames: 20 };

// Nothing here is a measurement: on a busy machine everything comes, but late.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let vision: TestVision;
let folder: string;
let jpegs: Buffer[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'haris-sources-'));
  [vision, jpegs] = await Promise.all([startTestVision(), paintJpegs(smallClip, 5)]);
});
afterAll(async () => {
  await vision?.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  vision.command({ type: 'cameras', cameras: [] });
  vision.forget();
});

const task = (id: string, kind: CameraTask['kind'], url: string | null, enabled = true): CameraTask => ({
  id,
  kind,
  url,
  zones: [],
  enabled,
});

function watch(cameraId: string): void {
  const view = { kind: 'whole', behindZones: false } as const;
  vision.command({ type: 'subscribe', subscription: 1, cameraId, view, format: 'jpeg', maxFps: 30 });
}

/** Waits for so many pictures that were taken from now on. */
function waitForPictures(count: number): Promise<boolean> {
  const since = Date.now();
  return vision.wait(
    `${count} pictures`,
    () => vision.pictures.filter(({ header }) => header.capturedAt >= since).length >= count,
  );
}

function expectNoSecrets(): void {
  const told = vision.output() + JSON.stringify(vision.notes);
  for (const word of [login.password, secret, login.user]) expect(told).not.toContain(word);
}

it('reads an RTSP camera with user and password, and comes back to one that was away', async () => {
  const file = await makeClip(apartClip, 'h264');
  const first = await startRtspServer(file, apartClip.fps, login);
  const address = `127.0.0.1:${first.port}/live`;
  vision.command({
    type: 'cameras',
    cameras: [
      task('right', 'rtsp', `rtsp://${login.user}:${secret}@${address}`),
      task('wrong', 'rtsp', `rtsp://${login.user}:not-${secret}@${address}`),
    ],
  });
  watch('right');
  expect(await vision.waitFor('right', 'live')).toMatchObject({ width: 640, height: 360, problem: null });
  expect(await vision.waitFor('wrong', 'stalled')).toMatchObject({ problem: 'unauthorized', fps: null });
  await waitForPictures(3);

  await first.stop();
  vision.forget();
  await vision.waitFor('right', 'stalled');
  const second = await startRtspServer(file, apartClip.fps, login, first.port);
  const { reconnects } = await vision.waitFor('right', 'live');
  expect(reconnects).toBeGreaterThan(0);
  await waitForPictures(3);
  await second.stop();
  expectNoSecrets();
});

it('reads an RTSP camera that sends H.265', async () => {
  const file = await makeClip({ ...apartClip, frames: 20 }, 'h265');
  const server = await startRtspServer(file, apartClip.fps, login);
  const address = `rtsp://${login.user}:${secret}@127.0.0.1:${server.port}/live`;
  vision.command({ type: 'cameras', cameras: [task('hevc', 'rtsp', address)] });
  watch('hevc');
  expect(await vision.waitFor('hevc', 'live')).toMatchObject({ width: 640, height: 360, problem: null });
  await waitForPictures(3);
  await server.stop();
  expectNoSecrets();
});

it('reads an HTTP camera, calls it frozen when it falls silent, and refused when it is gone', async () => {
  const camera = await startMjpegServer(jpegs, login);
  const address = `127.0.0.1:${camera.port}/video`;
  vision.command({
    type: 'cameras',
    cameras: [
      task('right', 'mjpeg', `http://${login.user}:${secret}@${address}`),
      task('wrong', 'mjpeg', `http://${address}`),
    ],
  });
  watch('right');
  expect(await vision.waitFor('right', 'live')).toMatchObject({ width: 320, height: 240 });
  expect(await vision.waitFor('wrong', 'stalled')).toMatchObject({ problem: 'unauthorized' });
  await waitForPictures(3);

  camera.freeze();
  vision.forget();
  expect((await vision.waitFor('right', 'stalled')).problem).toMatch(/frozen|unreachable/);
  await camera.stop();
  await vision.wait('refused', () =>
    vision.notes.some((note) => note.type === 'report' && note.report.problem === 'refused'),
  );
  expectNoSecrets();
});

it('takes the pictures of a device, leaves broken ones out, and does not read one that is switched off', async () => {
  vision.command({
    type: 'cameras',
    cameras: [task('device', 'browser', null), task('off', 'browser', null, false)],
  });
  watch('device');
  vision.push('device', Buffer.from('no picture'));
  vision.push('nobody', jpegs[0] ?? Buffer.alloc(0));
  const timer = setInterval(() => {
    const jpeg = jpegs[Math.floor(Math.random() * jpegs.length)] ?? Buffer.alloc(0);
    vision.push('device', jpeg);
    vision.push('device', jpeg.subarray(0, 300));
    vision.push('off', jpeg);
  }, 100);
  try {
    expect(await vision.waitFor('device', 'live')).toMatchObject({ width: 320, height: 240 });
    await waitForPictures(3);
    expect(await vision.waitFor('off', 'off')).toMatchObject({ fps: null, lastFrameAt: null });
    expect(vision.children().filter(({ program }) => program === 'camera')).toHaveLength(1);
  } finally {
    clearInterval(timer);
  }
  // The process stays: there is nothing to connect to anew.
  expect(await vision.waitFor('device', 'stalled')).toMatchObject({ problem: 'frozen', reconnects: 0 });
  vision.push('device', jpegs[1] ?? Buffer.alloc(0));
  vision.forget();
  await vision.waitFor('device', 'live');
});

it('goes on after corrupt bytes in the middle, and when the pictures change their size', async () => {
  const damaged = join(folder, 'damaged.ts');
  const bytes = await readFile(await makeClip({ ...apartClip, frames: 20 }, 'ts'));
  for (let i = 0; i < 2_000; i++) {
    const at = Math.floor(bytes.length / 3) + i * 7;
    bytes[at] = ((bytes[at] ?? 0) * 31 + i) & 255;
  }
  await writeFile(damaged, bytes);
  const resized = join(folder, 'resized.h264');
  await copyFile(await makeClip({ ...apartClip, frames: 20 }, 'h264'), resized);
  await appendFile(resized, await readFile(await makeClip(smallClip, 'h264')));

  vision.command({
    type: 'cameras',
    cameras: [task('damaged', 'file', damaged), task('resized', 'file', resized)],
  });
  watch('damaged');
  await vision.waitFor('damaged', 'live');
  // Further than one round of two seconds, so that the damage was met.
  const since = Date.now();
  await vision.wait('pictures after the damage', () =>
    vision.pictures.some(({ header }) => header.capturedAt > since + 3_000),
  );
  watch('resized');
  const widths = (): Set<number> => new Set(vision.pictures.map(({ header }) => header.width));
  vision.forget();
  await vision.wait('both sizes', () => widths().has(320) && widths().has(640));
});

it('says what is wrong with an address, and keeps on trying', async () => {
  const text = join(folder, 'text.mp4');
  await writeFile(text, 'no film '.repeat(1_000));
  vision.command({
    type: 'cameras',
    cameras: [
      task('missing', 'file', join(folder, 'missing.mp4')),
      task('text', 'file', text),
      task('device', 'v4l2', '/dev/video250'),
      task('closed', 'rtsp', `rtsp://${login.user}:${secret}@127.0.0.1:9/live`),
      // A playlist could name files and hosts of its own.
      task('list', 'file', await writeList()),
    ],
  });
  const problemOf = async (id: string) => (await vision.waitFor(id, 'stalled')).problem;
  expect(await problemOf('missing')).toBe('unreachable');
  expect(await problemOf('text')).toBe('unsupported');
  expect(await problemOf('device')).toBe('unreachable');
  expect(await problemOf('closed')).toBe('refused');
  expect(await problemOf('list')).not.toBeNull();
  await vision.wait('a second try', () =>
    vision.notes.some((note) => note.type === 'report' && note.report.reconnects >= 2),
  );
  expectNoSecrets();
});

async function writeList(): Promise<string> {
  const list = join(folder, 'list.m3u8');
  const film = await makeClip({ ...apartClip, frames: 20 }, 'ts');
  await writeFile(list, `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${film}\n#EXT-X-ENDLIST\n`);
  return list;
}
