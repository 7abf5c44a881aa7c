/** The server with the real face engine and a painted clip: the pictures for a parent and for staff, and the lists. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { COARSE_MAX_HEIGHT } from '@haris/contract/vision-live';
import { writeClip } from '@haris/painter/clip';
import { paintPortrait } from '@haris/painter/portrait';
import { chosenSeeds } from '@haris/painter/seeds';
import readImage from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { jpegSegments } from '../../testing/jpeg.ts';
import { type LiveClient, openLive } from '../../testing/live-socket.ts';
import { captureLog } from '../../testing/log.ts';
import { openMjpeg } from '../../testing/mjpeg.ts';
import { createVisionClient } from '../../vision/client.ts';
import { mediaFolder } from '../../vision/media.ts';
import { superviseVision, type VisionSupervisor } from '../../vision/supervisor.ts';

const [ownSeed, otherSeed, outsideSeed] = chosenSeeds;
const within = { timeout: 240_000, interval: 50 };

let engine: VisionSupervisor;
let app: TestApp;
let staff: string;
let port: number;
let own: { family: Family; child: string };
let other: { family: Family; child: string };
let outside: string;
let room: string;

beforeAll(async () => {
  engine = superviseVision(captureLog().log, 'fatal');
  const vision = createVisionClient(engine.address);
  app = await startTestApp({ vision, live: engine });
  await writeClip(
    {
      width: 640,
      height: 360,
      fps: 10,
      frames: 40,
      people: [
        { seed: ownSeed, x: { middle: 0.17, swing: 0.04 }, y: { middle: 0.4 }, head: 0.28 },
        { seed: otherSeed, x: { middle: 0.5, swing: 0.04 }, y: { middle: 0.4 }, head: 0.28 },
        { seed: outsideSeed, x: { middle: 0.83, swing: 0.04 }, y: { middle: 0.4 }, head: 0.28 },
      ],
    },
    join(mediaFolder(app.dataDir), 'room.mp4'),
  );
  await vi.waitUntil(() => vision.healthy(), within);
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
  staff = await app.staff();
  const enrol = async (seed: number, name: string) => {
    const family = await app.makeFamily();
    const child = (await app.makeChild(family, name, await paintPortrait({ seed })))._id;
    return { family, child };
  };
  own = await enrol(ownSeed, 'Own');
  other = await enrol(otherSeed, 'Other');
  outside = (await enrol(outsideSeed, 'Outside')).child;
  for (const { child } of [own, other])
    await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: staff });
  const json = { name: 'Room', area: 'Hall', kind: 'file', url: 'room.mp4' };
  room = (await app.expect(201, 'POST', '/api/cameras', { token: staff, json })).camera._id;
}, 120_000);
afterAll(async () => {
  await app.close();
  await engine.stop();
});

const state = async () =>
  (await app.expect(200, 'GET', `/api/cameras/${room}`, { token: staff })).camera.state;
const sharp = (client: LiveClient) =>
  new Set(client.pictures.flatMap(({ header }) => header.layers.flatMap(({ childId }) => childId ?? [])));

test('a parent gets the room coarse and the own child sharp, and never another', async () => {
  await expect.poll(state, within).toBe('live');
  const client = await openLive(port, `/api/live?target_id=${own.child}`, {
    token: own.family.token,
    takes: true,
  });
  const theirs = await openLive(port, '/api/live?target_name=other', {
    token: other.family.token,
    takes: true,
  });
  await expect.poll(() => [...sharp(client)], within).toEqual([own.child]);
  await expect.poll(() => [...sharp(theirs)], within).toEqual([other.child]);
  const seen = client.pictures.length;
  await expect.poll(() => client.pictures.length, within).toBeGreaterThan(seen + 20);
  expect([...sharp(client)]).toEqual([own.child]);
  for (const { layers } of client.pictures)
    expect(jpegSegments(Buffer.from(layers[0] ?? [])).height).toBeLessThanOrEqual(COARSE_MAX_HEIGHT);
  client.close();
  theirs.close();
});

test('any program gets the same as multipart JPEG of the camera’s size, closed at checkout', async () => {
  const client = await openMjpeg(port, '/video_feed?target_name=OWN', { token: own.family.token });
  await expect.poll(() => client.parts.length, within).toBeGreaterThan(3);
  expect(client.problem()).toBeNull();
  expect(jpegSegments(client.parts.at(-1)?.body ?? Buffer.alloc(0))).toMatchObject({
    width: 640,
    height: 360,
  });
  await app.expect(200, 'POST', `/api/children/checkout-child/${own.child}`, { token: staff });
  await expect.poll(() => client.isOpen(), { timeout: 240_000, interval: 10 }).toBe(false);
  await app.expect(200, 'POST', `/api/children/checkin-child/${own.child}`, { token: staff });
});

test('staff get everything, with the names of those inside; lists say who was seen where', async () => {
  const client = await openLive(port, `/api/live?camera_id=${room}`, { token: staff, takes: true });
  const names = () =>
    new Set(client.pictures.flatMap(({ header }) => (header.faces ?? []).map(({ name }) => name)));
  await expect
    .poll(() => [...names()].filter((name) => name !== null).sort(), within)
    .toEqual(['Other', 'Own']);
  client.close();
  const lastSeen = async () =>
    (await app.expect(200, 'GET', '/api/children/get-all-children?search=own', { token: staff })).children[0]
      ?.lastSeen;
  await expect.poll(lastSeen, within).toMatchObject({ cameraId: room, area: 'Hall' });
  const events = async () =>
    (
      await app.context.db
        .selectFrom('events')
        .select('type')
        .where('child_id', '=', outside)
        .where('type', 'like', 'child.seen%')
        .execute()
    ).map(({ type }) => type);
  await expect.poll(events, within).toEqual(['child.seen_outside']);
});

test('a mother who asked for it is named to staff, stays coarse to parents, and is written down nowhere', async () => {
  await app.expect(200, 'DELETE', `/api/children/delete-child/${outside}`, { token: staff });
  const { id, name, token } = own.family;
  const form = { photo: await paintPortrait({ seed: outsideSeed }) };
  await app.expect(200, 'PUT', `/api/parent/update-parent/${id}`, { token, form });
  await app.expect(200, 'PUT', `/api/parent/${id}/recognition`, { token });
  // Her photo resembles the girl of the earlier clip, so staff confirm that it is a different child.
  const json = { accept: true, confirm: true };
  await app.expect(200, 'POST', `/api/parent/${id}/confirm`, { token: staff, json });
  const seen = async () =>
    new Set(
      (await app.context.db.selectFrom('sightings').select('child_id').execute()).map((row) => row.child_id),
    );
  const client = await openLive(port, `/api/live?camera_id=${room}`, { token: staff, takes: true });
  const mine = await openLive(port, `/api/live?target_id=${own.child}`, { token, takes: true });
  const guardians = () =>
    new Set(
      client.pictures.flatMap(({ header }) =>
        (header.faces ?? []).filter((face) => face.kind === 'guardian').map((face) => face.name),
      ),
    );
  await expect.poll(() => [...guardians()], within).toEqual([name]);
  await expect.poll(() => [...sharp(mine)], within).toEqual([own.child]);
  const before = mine.pictures.length;
  await expect.poll(() => mine.pictures.length, within).toBeGreaterThan(before + 20);
  expect([...sharp(mine)]).toEqual([own.child]);
  expect(mine.pictures.some(({ header }) => header.faces !== undefined)).toBe(false);
  expect([...(await seen())].sort()).toEqual([own.child, other.child].sort());
  await app.expect(200, 'DELETE', `/api/parent/${id}/recognition`, { token });
  const last = () => client.pictures.findLast(({ header }) => header.faces !== undefined)?.header.faces ?? [];
  await expect
    .poll(
      () =>
        last()
          .map(({ kind }) => kind)
          .sort(),
      within,
    )
    .toEqual(['child', 'child', 'unknown']);
  client.close();
  mine.close();
});

test('a privacy zone is of one colour in everything that leaves the server', async () => {
  const [left, top, right, bottom] = [0.38, 0.15, 0.62, 0.65];
  const zones = [
    [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ],
  ];
  const setZones = (json: object) => app.expect(200, 'PUT', `/api/cameras/${room}`, { token: staff, json });
  const socket = (query: string, token: string) =>
    openLive(port, `/api/live?${query}`, { token, takes: true });
  const staffSocket = await socket(`camera_id=${room}`, staff);
  const parentSocket = await socket(`target_id=${own.child}`, own.family.token);
  const staffFeed = await openMjpeg(port, `/video_feed?camera_id=${room}`, { token: staff });
  const parentFeed = await openMjpeg(port, `/video_feed?target_id=${own.child}`, { token: own.family.token });
  const newest = {
    'the socket of staff': () => staffSocket.pictures.at(-1)?.layers[0],
    'the socket of a parent': () => parentSocket.pictures.at(-1)?.layers[0],
    'the multipart of staff, with boxes': () => staffFeed.parts.at(-1)?.body,
    'the multipart of a parent': () => parentFeed.parts.at(-1)?.body,
  };
  /** Largest difference of colour within the zone, away from its edge: over a block of the encoding or two coarse pixels. */
  const spread = async (jpeg: Uint8Array | undefined): Promise<number> => {
    if (!jpeg) return Number.NaN;
    const { data, info } = await readImage(jpeg).raw().toBuffer({ resolveWithObject: true });
    const inset = info.height > COARSE_MAX_HEIGHT ? 0.1 * info.height : 3;
    let [least, most] = [255, 0];
    for (let y = Math.ceil(top * info.height + inset); y < bottom * info.height - inset; y++)
      for (let x = Math.ceil(left * info.width + inset); x < right * info.width - inset; x++)
        for (let c = 0; c < 3; c++) {
          const value = data[(y * info.width + x) * 3 + c] ?? 0;
          [least, most] = [Math.min(least, value), Math.max(most, value)];
        }
    return most - least;
  };
  await expect
    .poll(() => Object.values(newest).every((picture) => picture() !== undefined), within)
    .toBe(true);
  expect(await spread(newest['the socket of staff']())).toBeGreaterThan(60);
  await setZones({ zones });
  for (const [what, picture] of Object.entries(newest)) {
    // In the coarse layer the zone is smaller than a block of the encoding.
    const most = what === 'the socket of a parent' ? 30 : 12;
    await expect.poll(() => spread(picture()), { ...within, message: what }).toBeLessThan(most);
    // The zone also stays hidden in later pictures.
    for (const seen = new Set([picture()]); seen.size < 5; seen.add(picture())) {
      await expect.poll(() => seen.has(picture()), within).toBe(false);
      expect(await spread(picture()), what).toBeLessThan(most);
    }
  }
  await setZones({ zones: [] });
  for (const client of [staffSocket, parentSocket, staffFeed, parentFeed]) client.close();
});

test('the reader of ffmpeg and VLC opens the multipart with a ticket, as a camera of its own', async () => {
  const { ticket } = await app.expect(201, 'POST', '/api/tickets', {
    token: staff,
    json: { for: 'video', cameraId: room },
  });
  const json = {
    name: 'Looks at the room',
    area: 'Hall',
    kind: 'mjpeg',
    url: `http://127.0.0.1:${port}/video_feed?ticket=${ticket}`,
  };
  const reader = (await app.expect(201, 'POST', '/api/cameras', { token: staff, json })).camera._id;
  const read = async () => (await app.expect(200, 'GET', `/api/cameras/${reader}`, { token: staff })).camera;
  await expect.poll(read, within).toMatchObject({ state: 'live', width: 640, height: 360 });
  await app.expect(200, 'DELETE', `/api/cameras/${reader}`, { token: staff });
});

test('the picture comes back by itself after the face engine was killed', async () => {
  const client = await openLive(port, `/api/live?target_id=${own.child}`, {
    token: own.family.token,
    takes: true,
  });
  await expect.poll(() => client.pictures.length, within).toBeGreaterThan(0);
  process.kill(engine.pid() ?? 0, 'SIGKILL');
  await expect.poll(() => app.context.live.isUp(), within).toBe(false);
  await expect.poll(() => client.notes.at(-1)?.type, within).toBe('waiting');
  const before = client.pictures.length;
  await expect.poll(() => client.pictures.length, within).toBeGreaterThan(before);
  expect(client.isOpen()).toBe(true);
  client.close();
});
