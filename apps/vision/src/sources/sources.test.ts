import { once } from 'node:events';
import { appendFile, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CameraReport, CameraTask } from '@haris/contract/vision-live';
import { makeFlatJpeg } from '@haris/painter/huge-photos';
import { afterAll, beforeAll, expect, it, type TestContext, vi } from 'vitest';
import { apartClip, makeClip } from '../testing/clips.ts';
import { paintJpegs, startMjpegServer, startRtspServer } from '../testing/sources.ts';
import { type ReceivedPicture, startTestVision, type TestVision } from '../testing/vision.ts';

const login = { user: 'nursery', password: 'mid:night@7' };
const secret = encodeURIComponent(login.password);
const smallClip = { ...apartClip, width: 320, height: 240, frames: 20 };

// These tests measure no times, so the limits are long enough for a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000, maxConcurrency: 10 });

let vision: TestVision;
let folder: string;
let jpegs: Buffer[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'haris-sources-'));
  [vision, jpegs] = await Promise.all([startTestVision({ cameraPauseMs: 100 }), paintJpegs(smallClip, 5)]);
});
afterAll(async () => {
  await vision?.stop();
  await rm(folder, { recursive: true, force: true });
});

const task = (id: string, kind: CameraTask['kind'], url: string | null, enabled = true): CameraTask => ({
  id,
  kind,
  url,
  zones: [],
  enabled,
});

/** All tests run concurrently, because they mostly wait: each has its own cameras and subscription. */
const cameras = new Map<string, CameraTask>();
let subscriptions = 0;

interface Room {
  /** Adds cameras beside those of the other tests. */
  setCameras(...tasks: readonly CameraTask[]): void;
  watch(cameraId: string): void;
  /** Pictures taken since the last `forget`. */
  pictures(): ReceivedPicture[];
  /** Waits for this many pictures taken from now on. */
  waitForPictures(count: number): Promise<unknown>;
  /** Waits for a report with this state that came since the last `forget`. */
  waitFor(cameraId: string, state: CameraReport['state']): Promise<CameraReport>;
  waitForReport(what: string, fits: (report: CameraReport) => boolean): Promise<CameraReport>;
  forget(): void;
}

function openRoom(onTestFinished: TestContext['onTestFinished']): Room {
  const subscription = ++subscriptions;
  const mine = new Set<string>();
  let [notesFrom, picturesFrom] = [vision.notes.length, vision.pictures.length];
  onTestFinished(() => {
    for (const id of mine) cameras.delete(id);
    vision.command({ type: 'cameras', cameras: [...cameras.values()] });
    vision.command({ type: 'unsubscribe', subscription });
  });
  const ofMine = ({ header }: ReceivedPicture): boolean => header.subscription === subscription;
  const room: Room = {
    setCameras(...tasks) {
      for (const one of tasks) {
        cameras.set(one.id, one);
        mine.add(one.id);
      }
      vision.command({ type: 'cameras', cameras: [...cameras.values()] });
    },
    watch(cameraId) {
      const view = { kind: 'whole' } as const;
      vision.command({ type: 'subscribe', subscription, cameraId, view, format: 'jpeg', maxFps: 30 });
    },
    pictures: () => vision.pictures.slice(picturesFrom).filter(ofMine),
    waitForPictures(count) {
      const since = Date.now();
      const fresh = ({ header }: ReceivedPicture): boolean => header.capturedAt >= since;
      return vision.wait(`${count} pictures`, () => room.pictures().filter(fresh).length >= count);
    },
    waitForReport: (what, fits) =>
      vision.wait(what, () => {
        for (const note of vision.notes.slice(notesFrom).reverse())
          if (note.type === 'report' && mine.has(note.report.cameraId) && fits(note.report))
            return note.report;
        return undefined;
      }),
    waitFor: (cameraId, state) =>
      room.waitForReport(
        `camera ${cameraId} ${state}`,
        (report) => report.cameraId === cameraId && report.state === state,
      ),
    forget() {
      [notesFrom, picturesFrom] = [vision.notes.length, vision.pictures.length];
    },
  };
  return room;
}

function expectNoSecrets(): void {
  const told = vision.output() + JSON.stringify(vision.notes);
  for (const word of [login.password, secret, login.user]) expect(told).not.toContain(word);
}

it('has no process for a camera that is switched off', async ({ onTestFinished }) => {
  const room = openRoom(onTestFinished);
  room.setCameras(task('off', 'file', '/nowhere', false), task('on', 'browser', null));
  await room.waitFor('off', 'off');
  await room.waitFor('on', 'connecting');
  expect(vision.children().filter(({ program }) => program === 'camera')).toHaveLength(1);
});

it.concurrent('reads an RTSP camera with user and password, and comes back to one that was away', async ({
  onTestFinished,
}) => {
  const room = openRoom(onTestFinished);
  const file = await makeClip(apartClip, 'h264');
  const first = await startRtspServer(file, apartClip.fps, login);
  const address = `127.0.0.1:${first.port}/live`;
  room.setCameras(
    task('right', 'rtsp', `rtsp://${login.user}:${secret}@${address}`),
    task('wrong', 'rtsp', `rtsp://${login.user}:not-${secret}@${address}`),
  );
  room.watch('right');
  expect(await room.waitFor('right', 'live')).toMatchObject({ width: 640, height: 360, problem: null });
  expect(await room.waitFor('wrong', 'stalled')).toMatchObject({ problem: 'unauthorized', fps: null });
  await room.waitForPictures(3);

  await first.stop();
  room.forget();
  await room.waitFor('right', 'stalled');
  // An earlier report also says live.
  room.forget();
  const second = await startRtspServer(file, apartClip.fps, login, first.port);
  const { reconnects } = await room.waitFor('right', 'live');
  expect(reconnects).toBeGreaterThan(0);
  await room.waitForPictures(3);
  await second.stop();
  expectNoSecrets();
});

it.concurrent('reads an RTSP camera that sends H.265', async ({ onTestFinished }) => {
  const room = openRoom(onTestFinished);
  const file = await makeClip({ ...apartClip, frames: 20 }, 'h265');
  const server = await startRtspServer(file, apartClip.fps, login);
  const address = `rtsp://${login.user}:${secret}@127.0.0.1:${server.port}/live`;
  room.setCameras(task('hevc', 'rtsp', address));
  room.watch('hevc');
  expect(await room.waitFor('hevc', 'live')).toMatchObject({ width: 640, height: 360, problem: null });
  await room.waitForPictures(3);
  await server.stop();
  expectNoSecrets();
});

it.concurrent('reads an HTTP camera, calls it frozen when it falls silent, and refused when it is gone', async ({
  onTestFinished,
}) => {
  const room = openRoom(onTestFinished);
  const camera = await startMjpegServer(jpegs, login);
  const address = `127.0.0.1:${camera.port}/video`;
  room.setCameras(
    task('http', 'mjpeg', `http://${login.user}:${secret}@${address}`),
    task('stranger', 'mjpeg', `http://${address}`),
  );
  room.watch('http');
  expect(await room.waitFor('http', 'live')).toMatchObject({ width: 320, height: 240 });
  expect(await room.waitFor('stranger', 'stalled')).toMatchObject({ problem: 'unauthorized' });
  await room.waitForPictures(3);

  camera.freeze();
  room.forget();
  expect((await room.waitFor('http', 'stalled')).problem).toMatch(/frozen|unreachable/);
  await camera.stop();
  await room.waitForReport('refused', ({ problem }) => problem === 'refused');
  expectNoSecrets();
});

it.concurrent('takes the pictures of a device, leaves broken ones out, and does not read one that is switched off', async ({
  onTestFinished,
}) => {
  const room = openRoom(onTestFinished);
  room.setCameras(task('device', 'browser', null), task('off', 'browser', null, false));
  room.watch('device');
  vision.push('device', Buffer.from('no picture'));
  vision.push('nobody', jpegs[0] ?? Buffer.alloc(0));
  const timer = setInterval(() => {
    const jpeg = jpegs[Math.floor(Math.random() * jpegs.length)] ?? Buffer.alloc(0);
    vision.push('device', jpeg);
    vision.push('device', jpeg.subarray(0, 300));
    vision.push('off', jpeg);
  }, 100);
  try {
    expect(await room.waitFor('device', 'live')).toMatchObject({ width: 320, height: 240 });
    await room.waitForPictures(3);
    expect(await room.waitFor('off', 'off')).toMatchObject({ fps: null, lastFrameAt: null });
  } finally {
    clearInterval(timer);
  }
  // The process stays, because restarting it would not reconnect the device.
  expect(await room.waitFor('device', 'stalled')).toMatchObject({ problem: 'frozen', reconnects: 0 });
  room.forget();
  vision.push('device', jpegs[1] ?? Buffer.alloc(0));
  await room.waitFor('device', 'live');
});

it.concurrent('leaves out pictures of a device and refuses those of a camera whose sides nobody’s camera has', async ({
  onTestFinished,
}) => {
  const room = openRoom(onTestFinished);
  // As many pixels as 4K has, and fewer.
  const wide = await makeFlatJpeg(14_000, 480);
  const camera = await startMjpegServer([wide], login);
  room.setCameras(
    task('wide-device', 'browser', null),
    task('wide-camera', 'mjpeg', `http://${login.user}:${secret}@127.0.0.1:${camera.port}/video`),
  );
  expect(await room.waitFor('wide-camera', 'stalled')).toMatchObject({ problem: 'unsupported' });
  vision.push('wide-device', wide);
  vision.push('wide-device', jpegs[0] ?? Buffer.alloc(0));
  // The first picture that counts is the second one.
  expect(await room.waitFor('wide-device', 'live')).toMatchObject({ width: 320, height: 240 });
  await camera.stop();
});

it.concurrent('follows no redirect of a camera, to another port or another host', async ({
  onTestFinished,
}) => {
  const room = openRoom(onTestFinished);
  const reached: string[] = [];
  const camera = await startMjpegServer(jpegs, login);
  const other = createTcpServer((socket) => {
    reached.push('another RTSP server');
    socket.destroy();
  });
  const elsewhere = createHttpServer((request, response) => {
    reached.push(`HTTP ${request.url}`);
    response.end();
  });
  const [otherPort, elsewherePort] = [await listen(other), await listen(elsewhere)];
  const moved = createHttpServer((request, response) => {
    const to =
      request.url === '/port'
        ? `http://${login.user}:${secret}@127.0.0.1:${camera.port}/video`
        : `http://localhost:${elsewherePort}/elsewhere`;
    response.writeHead(302, { location: to }).end();
  });
  const rtsp = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const number = /CSeq: (\d+)/.exec(String(bytes))?.[1];
      socket.write(
        `RTSP/1.0 302 Moved\r\nCSeq: ${number}\r\nLocation: rtsp://127.0.0.1:${otherPort}/live\r\n\r\n`,
      );
    });
  });
  const [movedPort, rtspPort] = [await listen(moved), await listen(rtsp)];
  room.setCameras(
    task('to-port', 'mjpeg', `http://127.0.0.1:${movedPort}/port`),
    task('to-host', 'mjpeg', `http://127.0.0.1:${movedPort}/host`),
    task('rtsp-moved', 'rtsp', `rtsp://127.0.0.1:${rtspPort}/live`),
  );
  for (const id of ['to-port', 'to-host', 'rtsp-moved'])
    expect(await room.waitFor(id, 'stalled'), id).toMatchObject({ problem: 'redirected' });
  await room.waitForReport(
    'a second try of all',
    ({ cameraId, reconnects, state }) => cameraId === 'rtsp-moved' && reconnects >= 1 && state === 'stalled',
  );
  expect(reached).toEqual([]);
  expect(
    vision.notes.some(
      (note) => note.type === 'report' && note.report.cameraId === 'to-port' && note.report.state === 'live',
    ),
  ).toBe(false);
  await camera.stop();
  for (const server of [other, elsewhere, moved, rtsp]) server.close();
});

it.concurrent('shows nothing of a camera that redirects its reader alone', async ({ onTestFinished }) => {
  const room = openRoom(onTestFinished);
  const file = await makeClip({ ...apartClip, frames: 20 }, 'h264');
  const target = await startRtspServer(file, apartClip.fps, login);
  let asked = 0;
  const rtsp = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const number = /CSeq: (\d+)/.exec(String(bytes))?.[1];
      asked++;
      socket.write(
        String(bytes).includes('User-Agent')
          ? `RTSP/1.0 302 Moved\r\nCSeq: ${number}\r\nLocation: rtsp://${login.user}:${secret}@127.0.0.1:${target.port}/live\r\n\r\n`
          : `RTSP/1.0 401 Unauthorized\r\nCSeq: ${number}\r\n\r\n`,
      );
    });
  });
  const address = `rtsp://127.0.0.1:${await listen(rtsp)}/live`;
  room.setCameras(task('cunning', 'rtsp', address));
  expect(await room.waitFor('cunning', 'stalled')).toMatchObject({ problem: 'redirected', width: null });
  expect(asked).toBeGreaterThanOrEqual(2);
  await target.stop();
  rtsp.close();
});

it.concurrent('connects to no address where no camera can be, by number or by name, and to names otherwise', async ({
  onTestFinished,
}) => {
  const room = openRoom(onTestFinished);
  const camera = await startMjpegServer(jpegs, login);
  room.setCameras(
    task('cloud', 'mjpeg', 'http://169.254.169.254/latest/meta-data'),
    task('odd', 'rtsp', 'rtsp://0xa9.0xfe.0xa9.0xfe/live'),
    task('any', 'rtsp', 'rtsp://0.0.0.0:8554/live'),
    task('named', 'mjpeg', `http://${login.user}:${secret}@localhost:${camera.port}/video`),
    task('nowhere', 'mjpeg', 'http://no-such-host.invalid/video'),
  );
  for (const id of ['cloud', 'odd', 'any'])
    expect(await room.waitFor(id, 'stalled'), id).toMatchObject({ problem: 'not_allowed' });
  await room.waitFor('named', 'live');
  expect(await room.waitFor('nowhere', 'stalled')).toMatchObject({ problem: 'unreachable' });
  await camera.stop();
});

it.concurrent('goes on after corrupt bytes in the middle, and when the pictures change their size', async ({
  onTestFinished,
}) => {
  const room = openRoom(onTestFinished);
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

  room.setCameras(task('damaged', 'file', damaged), task('resized', 'file', resized));
  room.watch('damaged');
  await room.waitFor('damaged', 'live');
  // Longer than one round of two seconds, so that playback has reached the damage.
  const since = Date.now();
  await vision.wait('pictures after the damage', () =>
    room.pictures().some(({ header }) => header.capturedAt > since + 3_000),
  );
  room.watch('resized');
  const widths = (): Set<number> => new Set(room.pictures().map(({ header }) => header.width));
  room.forget();
  await vision.wait('both sizes', () => widths().has(320) && widths().has(640));
});

it.concurrent('says what is wrong with an address, and keeps on trying', async ({ onTestFinished }) => {
  const room = openRoom(onTestFinished);
  const text = join(folder, 'text.mp4');
  await writeFile(text, 'no film '.repeat(1_000));
  room.setCameras(
    task('missing', 'file', join(folder, 'missing.mp4')),
    task('text', 'file', text),
    task('usb', 'v4l2', '/dev/video250'),
    task('closed', 'rtsp', `rtsp://${login.user}:${secret}@127.0.0.1:9/live`),
    // A playlist could name other files and hosts.
    task('list', 'file', await writeList()),
  );
  const problemOf = async (id: string) => (await room.waitFor(id, 'stalled')).problem;
  expect(await problemOf('missing')).toBe('unreachable');
  expect(await problemOf('text')).toBe('unsupported');
  expect(await problemOf('usb')).toBe('unreachable');
  expect(await problemOf('closed')).toBe('refused');
  expect(await problemOf('list')).not.toBeNull();
  await room.waitForReport('a second try', ({ reconnects }) => reconnects >= 2);
  expectNoSecrets();
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function writeList(): Promise<string> {
  const list = join(folder, 'list.m3u8');
  const film = await makeClip({ ...apartClip, frames: 20 }, 'ts');
  await writeFile(list, `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${film}\n#EXT-X-ENDLIST\n`);
  return list;
}
