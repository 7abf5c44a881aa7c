/**
 * Measures how many viewers get the camera's full rate, at what cost, and the age of their pictures, compared with
 * Debian's `motion` on the same camera in the same run: `npm run bench:live`. The camera is a painted clip at 720p
 * and 15 pictures a second, sent as MJPEG over HTTP. Meanwhile Haris recognises faces and blurs, and motion detects
 * movement.
 */
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer as createPort } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VIDEO_STREAMS_PER_ACCOUNT } from '@haris/contract/constants';
import { paintPortrait } from '@haris/painter/portrait';
import { chosenSeeds } from '@haris/painter/seeds';
import { nurseryStaff } from '../apps/server/src/testing/nursery.ts';
import { startProgram } from '../apps/server/src/testing/program.ts';
import { makeStaffSessions } from '../apps/server/src/testing/staff-sessions.ts';
import { clip, startCamera } from './live-camera.ts';
import { measure, type Row, show } from './live-rows.ts';
import type { ViewersAsk } from './live-viewers.ts';
import { processTree } from './processes.ts';
import { quantile } from './quantile.ts';

/**
 * Numbers of viewers. For Haris up to more than three times what motion was measured to hold; for motion up to just
 * beyond its limit.
 */
const VIEWERS = [1, 50, 200, 500, 1200, 1500, 1800] as const;
const VIEWERS_OF_MOTION = [1, 50, 200, 400, 500, 600] as const;
/** Numbers of viewers for the stream of the web app. */
const VIEWERS_OF_PAGE = [200, 900] as const;
const FAMILIES = 10;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const FPS = clip.fps;
/** From Debian's package `motion`. */
const MOTION = '/usr/bin/motion';
const AGE_P99_TARGET_MS = 150;
const RATIO_TARGET = 3;

async function measureHaris(viewers: ChildProcess, camera: string, folder: string): Promise<Row[]> {
  const env = { DATA_DIR: folder, LOG_LEVEL: 'fatal', MQTT_PORT: '0', ...nurseryStaff };
  const program = await startProgram(env);
  program.kill('SIGTERM');
  await program.ended;
  const accounts = Math.ceil(Math.max(...VIEWERS) / VIDEO_STREAMS_PER_ACCOUNT);
  const staffTokens = await makeStaffSessions({ ...env }, accounts);
  const server = await startProgram(env);
  const staff = staffTokens[0] ?? '';
  const call = async (
    method: string,
    path: string,
    token: string,
    body?: object | FormData,
  ): Promise<never> => {
    const form = body instanceof FormData;
    const answer = await fetch(server.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && !form ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: form ? body : JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as never;
  };
  try {
    while (!(await fetch(`${server.url}/readyz`)).ok)
      await new Promise((resolve) => setTimeout(resolve, 200));
    const families: { token: string; childId: string }[] = [];
    for (let n = 0; n < FAMILIES; n++) {
      const person = { email: `family-${n}@bench.test`, password: 'secret-of-bench' };
      const { parent } = (await call('POST', '/api/parent/create-parent', staff, {
        name: `Parent ${n}`,
        ...person,
      })) as { parent: { _id: string } };
      await call('POST', `/api/parent/mark-verified/${parent._id}`, staff);
      const form = new FormData();
      form.set('name', `Child ${n}`);
      form.set('confirm', 'true');
      const photo = await paintPortrait({ seed: chosenSeeds[n] ?? 0 });
      form.set('photo', new Blob([photo as Uint8Array<ArrayBuffer>]), 'photo.png');
      const { child } = (await call('POST', `/api/children/create-child/${parent._id}`, staff, form)) as {
        child: { _id: string };
      };
      await call('POST', `/api/children/checkin-child/${child._id}`, staff);
      const { token } = (await call(
        'POST',
        '/api/parent/get-parent-by-email-and-password',
        staff,
        person,
      )) as { token: string };
      families.push({ token, childId: child._id });
    }
    const added = (await call('POST', '/api/cameras', staff, {
      name: 'Room',
      area: 'Room',
      kind: 'mjpeg',
      url: camera,
    })) as { camera: { _id: string } };
    const id = added.camera._id;
    for (;;) {
      const { camera: now } = (await call('GET', `/api/cameras/${id}`, staff)) as {
        camera: { state: string };
      };
      if (now.state === 'live') break;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const pid = server.child.pid ?? 0;
    const relay = () => [pid];
    const engine = () => processTree(pid).filter((one) => one !== pid);
    const port = Number(new URL(server.url).port);
    const rows: Row[] = [];
    const look = async (what: string, ask: Omit<ViewersAsk, 'port' | 'seconds' | 'mark'>) => {
      const whole = { port, seconds: SECONDS, mark: 'X-Timestamp: ', ...ask };
      rows.push(await measure(what, viewers, whole, relay, engine));
      await new Promise((resolve) => setTimeout(resolve, 2_000));
    };
    for (const count of VIEWERS)
      await look('Haris, staff, multipart', {
        kind: 'multipart',
        viewers: Array.from({ length: count }, (_, n) => ({
          path: `/video_feed?camera_id=${id}`,
          token: staffTokens[n % accounts] ?? '',
        })),
      });
    for (const count of VIEWERS_OF_PAGE)
      await look('Haris, staff, our page’s stream', {
        kind: 'layers',
        viewers: Array.from({ length: count }, (_, n) => ({
          path: `/api/live?camera_id=${id}`,
          token: staffTokens[n % accounts] ?? '',
        })),
      });
    const parents = Array.from({ length: FAMILIES * VIDEO_STREAMS_PER_ACCOUNT }, (_, n) => {
      const family = families[n % FAMILIES];
      return { path: `target_id=${family?.childId}`, token: family?.token ?? '' };
    });
    for (const kind of ['multipart', 'layers'] as const)
      await look(`Haris, parents of ${FAMILIES} families, ${kind}`, {
        kind,
        viewers: parents.map(({ path, token }) => ({
          path: `${kind === 'layers' ? '/api/live' : '/video_feed'}?${path}`,
          token,
        })),
      });
    return rows;
  } finally {
    server.kill('SIGTERM');
    await server.ended;
  }
}

/** Null if motion is not installed. */
async function measureMotion(viewers: ChildProcess, camera: string, folder: string): Promise<Row[] | null> {
  if (spawnSync(MOTION, ['-h'], { stdio: 'ignore' }).error) return null;
  const free = createPort().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const config = join(folder, 'motion.conf');
  writeFileSync(
    config,
    [
      'daemon off',
      `target_dir ${folder}`,
      `netcam_url ${camera}`,
      `width ${clip.width}`,
      `height ${clip.height}`,
      `framerate ${FPS}`,
      `stream_port ${port}`,
      'stream_localhost on',
      `stream_maxrate ${FPS}`,
      'stream_quality 75',
      'picture_output off',
      'movie_output off',
      'webcontrol_port 0',
      'log_level 3',
    ].join('\n'),
  );
  const motion = spawn(MOTION, ['-c', config, '-n'], { stdio: 'ignore' });
  try {
    const pid = motion.pid ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const rows: Row[] = [];
    for (const count of VIEWERS_OF_MOTION) {
      const ask: ViewersAsk = {
        port,
        kind: 'multipart',
        mark: 'Content-Length:',
        seconds: SECONDS,
        viewers: Array.from({ length: count }, () => ({ path: '/', token: null })),
      };
      try {
        rows.push(
          await measure(
            'motion',
            viewers,
            ask,
            () => [pid],
            () => [],
          ),
        );
      } catch (error) {
        console.log(String(error));
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 2_000));
    }
    return rows;
  } finally {
    motion.kill('SIGKILL');
  }
}

const folder = mkdtempSync(join(tmpdir(), 'haris-live-'));
const viewers = fork(new URL('./live-viewers.ts', import.meta.url), { serialization: 'advanced' });
const camera = await startCamera();
try {
  const haris = await measureHaris(viewers, camera.url, join(folder, 'haris'));
  show(haris);
  const motion = await measureMotion(viewers, camera.url, folder);
  if (motion) show(motion);
  else console.log('motion is not installed (apt-get install motion): nothing to compare with');
  /** The largest number of viewers at which every viewer held the rate. */
  const held = (rows: readonly Row[]) =>
    Math.max(0, ...rows.filter((row) => row.holding === row.viewers).map((row) => row.viewers));
  const multipart = haris.filter(({ what }) => what === 'Haris, staff, multipart');
  const at200 = multipart.find((row) => row.viewers === 200);
  console.table(
    [
      ['200 viewers at 15 fps: viewers that hold it', at200?.holding ?? 0, 200, (at200?.holding ?? 0) >= 200],
      [
        'age of their pictures, p99 ms',
        Math.round(quantile(at200?.agesMs ?? [], 0.99)),
        AGE_P99_TARGET_MS,
        quantile(at200?.agesMs ?? [], 0.99) <= AGE_P99_TARGET_MS,
      ],
      ...(motion
        ? [
            [
              'viewers who all hold the rate, Haris / motion',
              `${held(multipart)} / ${held(motion)}`,
              `${RATIO_TARGET} times`,
              held(multipart) >= RATIO_TARGET * held(motion) && held(multipart) > 0,
            ],
          ]
        : []),
    ].map(([what, measured, target, met]) => ({ what, measured, target, met })),
  );
} finally {
  viewers.kill();
  camera.server.closeAllConnections();
  camera.server.close();
  rmSync(folder, { recursive: true, force: true });
}
