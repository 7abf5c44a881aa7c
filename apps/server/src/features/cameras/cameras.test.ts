/** Cameras through the API: their rows, the engine's commands, and secrets that no response contains (contract §4). */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Camera } from '@haris/contract/http/cameras';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeLive, startFakeLive } from '../../testing/fake-live.ts';
import { encodingOf, fakePhoto } from '../../testing/fake-vision.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let live: FakeLive;
let staff: string;
let family: Family;
const within = { timeout: 240_000, interval: 10 };
const SECRET = 's3cret-of-the-camera';
const USER = 'viewer-of-the-camera';

beforeAll(async () => {
  live = await startFakeLive();
  app = await startTestApp({ live });
  staff = await app.staff();
  family = await app.makeFamily();
});
afterAll(async () => {
  await app.close();
  await live.stop();
});

const add = async (json: object): Promise<Camera> =>
  (
    await app.expect(201, 'POST', '/api/cameras', {
      token: staff,
      json: { name: 'A camera', area: 'Room', ...json },
    })
  ).camera;
const put = (id: string, json: object) => app.ask('PUT', `/api/cameras/${id}`, { token: staff, json });
const get = async (id: string): Promise<Camera> =>
  (await app.expect(200, 'GET', `/api/cameras/${id}`, { token: staff })).camera;
const task = (id: string) => live.cameras.find((camera) => camera.id === id);
const rtsp = `rtsp://${USER}:${SECRET}@127.0.0.1:8554/live`;
const triangle = [
  [0, 0],
  [1, 0],
  [0.5, 1],
];

describe('a camera', () => {
  test('is added, listed, found, changed and removed, each a row of the audit log', async () => {
    const camera = await add({
      name: 'Sandpit',
      area: 'Garden',
      kind: 'mjpeg',
      url: 'http://127.0.0.1:9/cam',
    });
    expect(camera).toEqual({
      _id: expect.any(String),
      name: 'Sandpit',
      area: 'Garden',
      kind: 'mjpeg',
      url: 'http://127.0.0.1:9/cam',
      hasCredentials: false,
      zones: [],
      enabled: true,
      state: expect.any(String),
      problem: null,
      fps: null,
      width: null,
      height: null,
      lastFrameAt: null,
      reconnects: 0,
    });
    const list = await app.expect(200, 'GET', '/api/cameras?search=gardén', { token: staff });
    expect(list).toMatchObject({ total: 1, nextCursor: null, cameras: [{ _id: camera._id }] });
    const changed = await put(camera._id, { name: 'Slide', zones: [triangle], enabled: false });
    expect(changed.body.camera).toMatchObject({
      name: 'Slide',
      zones: [triangle],
      enabled: false,
      state: 'off',
    });
    await app.expect(200, 'DELETE', `/api/cameras/${camera._id}`, { token: staff });
    await app.expect(404, 'GET', `/api/cameras/${camera._id}`, { token: staff });
    await app.expect(404, 'DELETE', `/api/cameras/${camera._id}`, { token: staff });
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${camera._id}`, { token: staff });
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['camera.deleted', {}],
      ['camera.updated', { name: true, area: false, addressChanged: false, zones: 1, enabled: false }],
      ['camera.created', { kind: 'mjpeg', zones: 0 }],
    ]);
    const events = await app.context.db.selectFrom('events').select('type').execute();
    for (const type of ['camera.created', 'camera.updated', 'camera.deleted'])
      expect(events.map((event) => event.type)).toContain(type);
  });

  test.each([
    ['name', { name: ' ' }],
    ['area', { area: undefined }],
    ['kind', { kind: 'webcam' }],
    ['url', { kind: 'rtsp', url: undefined }],
    ['url', { kind: 'rtsp', url: 'http://127.0.0.1/' }],
    ['url', { kind: 'mjpeg', url: 'file:///etc/passwd' }],
    ['url', { kind: 'mjpeg', url: 'http://169.254.169.254/latest/meta-data' }],
    ['url', { kind: 'mjpeg', url: 'http://[fe80::1%25eth0]/' }],
    ['url', { kind: 'v4l2', url: '/dev/sda' }],
    ['url', { kind: 'browser', url: 'http://127.0.0.1/' }],
    ['url', { kind: 'file', url: 'missing.mp4' }],
    ['url', { kind: 'file', url: '../haris.db' }],
    ['url', { kind: 'file', url: '/etc/passwd' }],
    [
      'zones',
      {
        zones: [
          [
            [0, 0],
            [1, 1],
          ],
        ],
      },
    ],
    [
      'zones',
      {
        zones: [
          [
            [0, 0],
            [1, 1],
            [1, 1.1],
          ],
        ],
      },
    ],
  ])('with a wrong %s is refused: %j', async (field, over) => {
    const json = { name: 'A camera', area: 'Room', kind: 'mjpeg', url: 'http://127.0.0.1:9/', ...over };
    const answer = await app.ask('POST', '/api/cameras', { token: staff, json });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    // Within a field, the answer may also name the place: `zones.0`.
    const named = Object.keys(answer.body.fields).map((place) => place.split('.')[0]);
    expect([...new Set(named)]).toEqual([field]);
  });

  test('of the kind file plays below the media folder, and no link leads out of it', async () => {
    const media = join(app.dataDir, 'media');
    mkdirSync(join(media, 'clips'), { recursive: true });
    writeFileSync(join(media, 'clips', 'room.mp4'), 'a clip');
    writeFileSync(join(app.dataDir, 'secret.mp4'), 'no clip');
    symlinkSync(join(app.dataDir, 'secret.mp4'), join(media, 'link.mp4'));
    symlinkSync(app.dataDir, join(media, 'folder'));
    const camera = await add({ kind: 'file', url: 'clips/room.mp4' });
    expect(camera.url).toBe('clips/room.mp4');
    await expect.poll(() => task(camera._id)?.url, within).toBe(join(media, 'clips', 'room.mp4'));
    for (const url of ['link.mp4', 'folder/secret.mp4', 'clips', 'clips/'])
      expect(
        (
          await app.ask('POST', '/api/cameras', {
            token: staff,
            json: { name: 'x', area: 'x', kind: 'file', url },
          })
        ).status,
        url,
      ).toBe(400);
  });
});

describe('user and password', () => {
  test('reach the face engine, and nobody else: no answer, no log, not the database, not the audit log', async () => {
    const camera = await add({ kind: 'rtsp', url: rtsp });
    expect(camera).toMatchObject({ url: 'rtsp://127.0.0.1:8554/live', hasCredentials: true });
    await expect.poll(() => task(camera._id)?.url, within).toBe(rtsp);
    const answers = [
      camera,
      await get(camera._id),
      await app.expect(200, 'GET', '/api/cameras', { token: staff }),
      (await put(camera._id, { name: 'Renamed' })).body,
      (await put(camera._id, { url: 'rtsp://127.0.0.1:8554/***' })).body,
      (await put(camera._id, { url: `rtsp://${USER}:${SECRET}@169.254.1.1/` })).body,
      (await put(camera._id, { kind: 'mjpeg' })).body,
      await app.expect(200, 'GET', '/api/audit?limit=200', { token: staff }),
      await app.context.db.selectFrom('cameras').selectAll().execute(),
      await app.context.db.selectFrom('events').selectAll().execute(),
      app.logLines,
    ];
    for (const answer of answers)
      for (const secret of [SECRET, USER]) expect(JSON.stringify(answer)).not.toContain(secret);
    const sealed = Buffer.concat(
      (await app.context.db.selectFrom('cameras').select('address_sealed').execute()).map((row) =>
        Buffer.from(row.address_sealed ?? []),
      ),
    );
    expect(sealed.includes(SECRET)).toBe(false);
  });

  test('stay with an address of the same host and port, and with no other', async () => {
    const camera = await add({ kind: 'rtsp', url: rtsp });
    await put(camera._id, { url: 'rtsp://127.0.0.1:8554/other' });
    await expect.poll(() => task(camera._id)?.url, within).toBe(rtsp.replace('/live', '/other'));
    const moved = await put(camera._id, { url: 'rtsp://127.0.0.1:8555/other' });
    expect(moved.body.camera).toMatchObject({ hasCredentials: false });
    await expect.poll(() => task(camera._id)?.url, within).toBe('rtsp://127.0.0.1:8555/other');
    // Back at the old address, the credentials are gone for good.
    await put(camera._id, { url: 'rtsp://127.0.0.1:8554/other' });
    await expect.poll(() => task(camera._id)?.url, within).toBe('rtsp://127.0.0.1:8554/other');
  });

  test('a changed address says that it changed, and not to what', async () => {
    const camera = await add({ kind: 'rtsp', url: rtsp });
    await put(camera._id, { url: 'rtsp://127.0.0.1:8554/quietly' });
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${camera._id}`, { token: staff });
    expect(entries[0]?.details).toMatchObject({ addressChanged: true });
    expect(JSON.stringify(entries)).not.toContain('quietly');
  });

  test('another kind needs an address of its own', async () => {
    const camera = await add({ kind: 'rtsp', url: rtsp });
    expect((await put(camera._id, { kind: 'mjpeg' })).status).toBe(400);
    expect((await put(camera._id, { kind: 'browser' })).body.camera).toMatchObject({
      url: null,
      hasCredentials: false,
    });
    await expect.poll(() => task(camera._id)?.url, within).toBeNull();
  });
});

describe('what the face engine is told', () => {
  test('cameras and zones at every change; one whose row is damaged is switched off, never shown without zones', async () => {
    const camera = await add({ kind: 'browser', zones: [triangle] });
    await expect.poll(() => task(camera._id), within).toMatchObject({ enabled: true, zones: [triangle] });
    await put(camera._id, { enabled: false });
    await expect.poll(() => task(camera._id)?.enabled, within).toBe(false);
    await put(camera._id, { enabled: true });
    await expect.poll(() => task(camera._id)?.enabled, within).toBe(true);
    await app.context.db
      .updateTable('cameras')
      .set({ zones: '[[[0,0]]]' })
      .where('id', '=', camera._id)
      .execute();
    app.context.live.refresh();
    await expect.poll(() => task(camera._id), within).toMatchObject({ enabled: false, zones: [], url: null });
    await app.expect(200, 'DELETE', `/api/cameras/${camera._id}`, { token: staff });
    await expect.poll(() => task(camera._id), within).toBeUndefined();
  });

  test('whom it may name: every enrolled child, and who is inside; no name, no account', async () => {
    const child = await app.makeChild(family, 'Very Own Name', fakePhoto({ face: 'lina' }));
    const entry = () => app.vision.gallery?.entries.find(({ subject }) => subject.id === child._id);
    const isInside = () => live.recognition?.inside.includes(child._id);
    await expect.poll(entry, within).toMatchObject({ subject: { kind: 'child' } });
    expect(isInside()).toBe(false);
    expect(entry()?.encodings[0]?.[1]).toBeCloseTo(encodingOf('lina')[1] ?? 0);
    await app.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token: staff });
    await expect.poll(isInside, within).toBe(true);
    await app.expect(200, 'PUT', '/api/settings', { token: staff, json: { recognitionThreshold: 0.41 } });
    await expect.poll(() => live.recognition?.threshold, within).toBe(0.41);
    for (const secret of ['Very Own Name', family.id, family.email])
      expect(JSON.stringify([live.recognition, app.vision.gallery])).not.toContain(secret);
    await app.expect(200, 'POST', `/api/children/checkout-child/${child._id}`, { token: staff });
    await expect.poll(isInside, within).toBe(false);
    await app.expect(200, 'DELETE', `/api/children/delete-child/${child._id}`, { token: staff });
    await expect.poll(entry, within).toBeUndefined();
  });

  test('all of it again when it comes back, and nothing twice while nothing changes', async () => {
    const camera = await add({ kind: 'browser' });
    await expect.poll(() => task(camera._id), within).toBeDefined();
    const before = live.recognitions;
    app.context.live.refresh();
    await put(camera._id, { name: 'Renamed' });
    live.report(camera._id, { state: 'live' });
    await expect.poll(async () => (await get(camera._id)).name, within).toBe('Renamed');
    expect(live.recognitions).toBe(before);
    live.drop();
    await expect.poll(() => app.context.live.isUp(), within).toBe(false);
    expect(await get(camera._id)).toMatchObject({ state: 'connecting', problem: 'engine_down', fps: null });
    await expect.poll(() => live.recognitions, within).toBe(before + 1);
    await expect.poll(() => app.context.live.isUp(), within).toBe(true);
    expect(task(camera._id)).toBeDefined();
  });

  test('words that are not as agreed are passed over', async () => {
    const camera = await add({ kind: 'rtsp', url: rtsp });
    await expect.poll(() => task(camera._id), within).toBeDefined();
    for (const odd of ['hello', '{"type":"report"}', '[]', Buffer.from([0, 0]), Buffer.alloc(64)])
      live.say(odd);
    live.report(camera._id, {
      fps: 12.5,
      width: 640,
      height: 360,
      reconnects: 3,
      lastFrameAt: 1_700_000_000_000,
    });
    await expect.poll(async () => (await get(camera._id)).state, within).toBe('live');
    expect(await get(camera._id)).toMatchObject({
      problem: null,
      fps: 12.5,
      width: 640,
      height: 360,
      reconnects: 3,
      lastFrameAt: '2023-11-14T22:13:20.000Z',
    });
    live.report(camera._id, { state: 'stalled', problem: 'frozen' });
    await expect.poll(() => get(camera._id), within).toMatchObject({ state: 'stalled', problem: 'frozen' });
  });
});
