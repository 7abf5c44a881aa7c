/** A device that becomes a camera: its code, its token, its pictures. */
import type { AddressInfo } from 'node:net';
import { DEVICE_PICTURE_MAX_BYTES, encodeDevicePicture } from '@haris/contract/live/video';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type FakeLive, startFakeLive } from '../../testing/fake-live.ts';
import { tinyJpeg } from '../../testing/fake-vision.ts';
import { startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let live: FakeLive;
let staff: string;
let port: number;
const sockets: WebSocket[] = [];
const within = { timeout: 240_000, interval: 10 };

beforeAll(async () => {
  live = await startFakeLive();
  app = await startTestApp({ live });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
  staff = await app.staff();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  app.clock.advance(16 * 60_000);
  await app.proveNow(staff);
});
afterAll(async () => {
  await app.close();
  await live.stop();
});

const addDevice = async (): Promise<string> => {
  const json = { name: 'Tablet', area: 'Hall', kind: 'browser' };
  return (await app.expect(201, 'POST', '/api/cameras', { token: staff, json })).camera._id;
};
const codeFor = async (id: string): Promise<string> =>
  String((await app.expect(201, 'POST', `/api/cameras/${id}/pairing`, { token: staff })).code);
const pair = (code: string, from?: string) =>
  app.ask('POST', '/api/cameras/pair', { json: { code }, ...(from ? { from } : {}) });
const paired = async (id: string): Promise<string> => (await pair(await codeFor(id))).body.token;

/** Opens the stream; returns the socket, or the status of the refusal. */
function connect(...protocols: string[]): Promise<WebSocket | number> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/cameras/stream`, protocols);
  sockets.push(socket);
  return new Promise((resolve, reject) => {
    socket.on('unexpected-response', (_request, answer) => resolve(answer.statusCode ?? 0));
    socket.on('open', () => resolve(socket));
    socket.on('error', reject);
  });
}
async function stream(token: string): Promise<{ socket: WebSocket; closed: Promise<number> }> {
  const socket = await connect('device', token);
  if (!(socket instanceof WebSocket)) throw new Error(`refused ${socket}`);
  return { socket, closed: new Promise((resolve) => socket.once('close', resolve)) };
}
/** Repeats the picture until the face engine has received it: early pictures may arrive before the connection is added. */
async function sendUntilTaken(socket: WebSocket, jpeg: Buffer): Promise<void> {
  await expect.poll(() => app.context.live.isUp(), within).toBe(true);
  await expect
    .poll(() => {
      socket.send(encodeDevicePicture(1, jpeg));
      return live.devicePictures.some((picture) => picture.jpeg.equals(jpeg));
    }, within)
    .toBe(true);
}

describe('a code', () => {
  test('works once, however it is typed, and gives a token for pictures', async () => {
    const id = await addDevice();
    expect((await app.expect(200, 'GET', `/api/cameras/${id}`, { token: staff })).camera).toMatchObject({
      state: 'connecting',
    });
    const code = await codeFor(id);
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/);
    const answer = await pair(` ${code.slice(0, 5).toLowerCase()}-${code.slice(5)} `);
    expect(answer).toMatchObject({ status: 200, body: { cameraId: id, name: 'Tablet', area: 'Hall' } });
    expect(await pair(code)).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
    const rows = JSON.stringify([
      await app.context.db.selectFrom('camera_pairings').selectAll().execute(),
      await app.context.db.selectFrom('camera_devices').selectAll().execute(),
      app.logLines,
    ]);
    for (const secret of [code, answer.body.token]) expect(rows).not.toContain(secret);
  });

  test('says until when: 10 minutes; a new one ends the older', async () => {
    const id = await addDevice();
    const { expiresAt } = await app.expect(201, 'POST', `/api/cameras/${id}/pairing`, { token: staff });
    expect(Date.parse(expiresAt)).toBe(app.clock.now() + 600_000);
    const [older, newer] = [await codeFor(id), await codeFor(id)];
    expect((await pair(older)).status).toBe(400);
    app.clock.advance(600_000);
    expect((await pair(newer)).status).toBe(400);
  });

  test('is only for a camera of the kind “this device”', async () => {
    const json = { name: 'Cam', area: 'Hall', kind: 'mjpeg', url: 'http://127.0.0.1:9/' };
    const { camera } = await app.expect(201, 'POST', '/api/cameras', { token: staff, json });
    const answer = await app.ask('POST', `/api/cameras/${camera._id}/pairing`, { token: staff });
    expect(answer).toMatchObject({ status: 409, body: { code: 'not_a_device' } });
  });

  test('cannot be guessed for long: 20 wrong ones from one network, then 429, also for the right one', async () => {
    const code = await codeFor(await addDevice());
    for (let n = 0; n < 20; n++) expect((await pair(`WRONG${n}`, '203.0.113.9')).status).toBe(400);
    const refused = await pair(code, '203.0.113.9');
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await pair(code, '203.0.113.10')).status).toBe(200);
  });
});

describe('a device', () => {
  test('without a token: 401 at the upgrade', async () => {
    const token = await paired(await addDevice());
    expect(await connect()).toBe(401);
    expect(await connect('device')).toBe(401);
    expect(await connect('device', 'short')).toBe(401);
    expect(await connect('bearer', token)).toBe(401);
    expect(await connect('device', token, 'more')).toBe(401);
    const { socket } = await stream(token);
    expect(socket.protocol).toBe('device');
  });

  test.each([
    ['that was never given', () => 'x'.repeat(43)],
    ['of a person', () => staff],
  ])(
    'with a token %s is told that it is not paired, and nothing that it sends is taken',
    async (_what, token) => {
      const { socket, closed } = await stream(token());
      const jpeg = Buffer.concat([tinyJpeg, Buffer.from(`of nobody ${token()}`)]);
      socket.send(encodeDevicePicture(1, jpeg));
      expect(await closed).toBe(4001);
      const { socket: another } = await stream(await paired(await addDevice()));
      await sendUntilTaken(another, Buffer.concat([tinyJpeg, Buffer.from(`after ${token()}`)]));
      expect(live.devicePictures.some((picture) => picture.jpeg.equals(jpeg))).toBe(false);
    },
  );

  test('may do nothing else with it', async () => {
    const token = await paired(await addDevice());
    for (const path of [
      '/api/cameras',
      '/api/children/get-all-children',
      '/api/events',
      '/video_feed?target_id=x',
    ])
      expect((await app.ask('GET', path, { token })).status, path).toBe(401);
  });

  test('sends pictures, which reach the face engine with our clock, under its own camera', async () => {
    const id = await addDevice();
    const { socket } = await stream(await paired(id));
    const jpeg = Buffer.concat([tinyJpeg, Buffer.from('from the tablet')]);
    await sendUntilTaken(socket, jpeg);
    expect(live.devicePictures.find((picture) => picture.jpeg.equals(jpeg))).toMatchObject({
      cameraId: id,
      capturedAt: app.clock.now(),
    });
  });

  test.each([
    ['words', 'hello', 1003],
    ['what is no picture', Buffer.from([0, 0, 0, 1]), 1003],
    ['what is no JPEG', Buffer.from(encodeDevicePicture(1, Buffer.from('GIF89a'))), 1003],
    [
      'a picture that is too large',
      Buffer.from(encodeDevicePicture(1, Buffer.concat([tinyJpeg, Buffer.alloc(DEVICE_PICTURE_MAX_BYTES)]))),
      1008,
    ],
    ['more than any picture', Buffer.alloc(DEVICE_PICTURE_MAX_BYTES + 5_000), 1009],
  ])('that sends %s is closed', async (_what, data, code) => {
    const { socket, closed } = await stream(await paired(await addDevice()));
    await sendUntilTaken(socket, Buffer.concat([tinyJpeg, Buffer.from(`before ${code} ${data.length}`)]));
    socket.send(data);
    expect(await closed).toBe(code);
  });

  test('that sends too many loses those beyond 30 a second', async () => {
    const id = await addDevice();
    const { socket } = await stream(await paired(id));
    await sendUntilTaken(socket, Buffer.concat([tinyJpeg, Buffer.from('start')]));
    for (let n = 0; n < 500; n++) socket.send(encodeDevicePicture(n, tinyJpeg));
    await new Promise((resolve) => {
      socket.once('pong', resolve);
      socket.ping();
    });
    const { socket: another } = await stream(await paired(await addDevice()));
    await sendUntilTaken(another, Buffer.concat([tinyJpeg, Buffer.from('afterwards')]));
    const mine = live.devicePictures.filter((picture) => picture.cameraId === id);
    expect(mine.length).toBeLessThan(250);
  });

  test('has one connection: the newest', async () => {
    const token = await paired(await addDevice());
    const older = await stream(token);
    await sendUntilTaken(older.socket, Buffer.concat([tinyJpeg, Buffer.from('older')]));
    const newer = await stream(token);
    expect(await older.closed).toBe(4002);
    await sendUntilTaken(newer.socket, Buffer.concat([tinyJpeg, Buffer.from('newer')]));
  });

  test.each([
    ['paired anew', async (id: string) => void (await paired(id))],
    [
      'of another kind',
      (id: string) =>
        app.expect(200, 'PUT', `/api/cameras/${id}`, {
          token: staff,
          json: { kind: 'mjpeg', url: 'http://127.0.0.1:9/' },
        }),
    ],
    ['deleted', (id: string) => app.expect(200, 'DELETE', `/api/cameras/${id}`, { token: staff })],
  ])('ends when its camera is %s, and its token is dead', async (_what, change) => {
    const id = await addDevice();
    const token = await paired(id);
    const { closed, socket } = await stream(token);
    await sendUntilTaken(socket, Buffer.concat([tinyJpeg, Buffer.from(id)]));
    await change(id);
    expect(await closed).toBe(4001);
    expect(await (await stream(token)).closed).toBe(4001);
  });

  test('that is not paired is said to be', async () => {
    const id = await addDevice();
    const state = async () =>
      (await app.expect(200, 'GET', `/api/cameras/${id}`, { token: staff })).camera.problem;
    await expect.poll(state, within).toBe('not_paired');
    await paired(id);
    expect(await state()).toBeNull();
  });
});
