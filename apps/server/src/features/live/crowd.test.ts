/** Many viewers, some of which do not read, and many that come and go: none is delayed, and memory does not grow. */

import { type AddressInfo, connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type FakeLive, startFakeLive } from '../../testing/fake-live.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { type LiveClient, openLive } from '../../testing/live-socket.ts';
import { type MjpegClient, openMjpeg } from '../../testing/mjpeg.ts';

const VIEWERS = 40;
const NEVER_READ = 10;
const PICTURES = 20;
const PICTURE_BYTES = 300_000;
const COMINGS = 1_000;
const FIRST_COMINGS = 100;
const within = { timeout: 240_000, interval: 10 };
const MB = 1024 * 1024;

let app: TestApp;
let live: FakeLive;
let staff: string;
let families: Family[];
let port: number;
let room: string;
let children: string[];
/** The server's ends of the connections. */
const sockets = new Set<Socket>();

beforeAll(async () => {
  live = await startFakeLive();
  app = await startTestApp({ live });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  app.app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  port = (app.app.server.address() as AddressInfo).port;
  staff = await app.staff();
  // An account has at most 20 videos.
  families = await Promise.all(Array.from({ length: 4 }, () => app.makeFamily()));
  const json = { name: 'Room', area: 'Hall', kind: 'browser' };
  room = (await app.expect(201, 'POST', '/api/cameras', { token: staff, json })).camera._id;
  children = [];
  for (const family of families) {
    const { _id } = await app.makeChild(family);
    await app.expect(200, 'POST', `/api/children/checkin-child/${_id}`, { token: staff });
    children.push(_id);
  }
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => live.subscriptions.size, within).toBe(0);
});
afterAll(async () => {
  await app.close();
  await live.stop();
});

async function beLive(): Promise<void> {
  await expect.poll(() => live.cameras.some(({ id }) => id === room), within).toBe(true);
  live.report(room);
  await expect.poll(() => app.context.live.report(room)?.state, within).toBe('live');
}
const query = (n: number) => `target_id=${children[n % children.length]}`;
const tokenOf = (n: number) => families[n % families.length]?.token ?? '';

/** A client that subscribes and then reads nothing, so that its buffers fill up. */
async function neverReads(n: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.pause();
  socket.write(
    `GET /video_feed?${query(n)} HTTP/1.1\r\nhost: haris\r\nauthorization: Bearer ${tokenOf(n)}\r\n\r\n`,
  );
  return socket;
}

describe('fifty viewers of whom ten never read', () => {
  test('the others get every picture that they can take, the newest last, in bounded memory', async () => {
    await beLive();
    await Promise.all(Array.from({ length: NEVER_READ }, (_, n) => neverReads(n)));
    const viewers: MjpegClient[] = await Promise.all(
      Array.from({ length: VIEWERS }, (_, n) =>
        openMjpeg(port, `/video_feed?${query(n)}`, { token: tokenOf(n), keepLast: true }),
      ),
    );
    expect(viewers.map(({ status }) => status)).toEqual(viewers.map(() => 200));
    // Wait until all viewers are subscribed: a viewer checked later would miss the first picture.
    await expect
      .poll(() => {
        live.show(() => true);
        return viewers.every((client) => client.parts.length > 0);
      }, within)
      .toBe(true);
    expect(live.subscriptions.size).toBe(families.length);
    const last = (client: MjpegClient) =>
      /p\d+\./.exec(client.parts.at(-1)?.body.toString('latin1', 0, 400) ?? '')?.[0];
    let most = 0;
    for (let n = 0; n < PICTURES; n++) {
      // All readers get every picture: viewers that do not read delay nobody. The picture is repeated, because a slow
      // rights check suspends viewers.
      await expect
        .poll(
          () => {
            if (viewers.every((client) => last(client) === `p${n}.`)) return true;
            live.show(() => true, { mark: `p${n}.`, padding: PICTURE_BYTES });
            return false;
          },
          { timeout: 240_000, interval: 100 },
        )
        .toBe(true);
      most = Math.max(most, ...[...sockets].map((socket) => socket.writableLength));
    }
    expect(viewers.map((client) => client.problem())).toEqual(viewers.map(() => null));
    // All pictures would be 6 MB. One is being written, and the rest did not fit into the network's own buffers.
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(1.1 * PICTURE_BYTES);
  });

  test('on the live socket too', async () => {
    await beLive();
    const viewers: LiveClient[] = [];
    for (let n = 0; n < 20; n++)
      viewers.push(
        await openLive(port, `/api/live?${query(n)}`, { token: tokenOf(n), takes: n >= NEVER_READ }),
      );
    for (const viewer of viewers) await expect.poll(() => viewer.notes.length, within).toBeGreaterThan(1);
    await expect.poll(() => live.subscriptions.size, within).toBe(families.length);
    const reading = viewers.slice(NEVER_READ);
    for (let n = 0; n < PICTURES; n++) {
      live.show(() => true, { mark: `p${n}.`, padding: 50_000 });
      await expect.poll(() => reading.every(({ pictures }) => pictures.length === n + 1), within).toBe(true);
    }
    expect(viewers.slice(0, NEVER_READ).map(({ pictures }) => pictures.length)).toEqual(
      Array.from({ length: NEVER_READ }, () => 2),
    );
  });
});

test('a thousand who come and go leave nothing behind', async () => {
  await beLive();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const comeAndGo = async (n: number): Promise<void> => {
    if (n % 2 === 0) {
      const client = await openMjpeg(port, `/video_feed?${query(n)}`, { token: tokenOf(n) });
      expect(client.status).toBe(200);
      client.close();
      await client.ended;
    } else {
      const client = await openLive(port, `/api/live?${query(n)}`, { token: tokenOf(n) });
      client.close();
      await client.closed;
    }
  };
  const round = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 10)
      await Promise.all(Array.from({ length: 10 }, (_, index) => comeAndGo(n + index)));
    await expect.poll(() => live.subscriptions.size, within).toBe(0);
  };
  await round(FIRST_COMINGS);
  const before = heap();
  await round(COMINGS - FIRST_COMINGS);
  const looks = async (action: string): Promise<number> => {
    const { rows } = await app.context.db
      .selectFrom('audit_log')
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .where('action', '=', action)
      .executeTakeFirstOrThrow();
    return Number(rows);
  };
  // Rows of starts may also still be unwritten.
  await expect
    .poll(async () => (await looks('video.started')) - (await looks('video.ended')), within)
    .toBe(0);
  expect(await looks('video.started')).toBeGreaterThanOrEqual(COMINGS);
  expect(heap() - before).toBeLessThan(10 * MB);
});
