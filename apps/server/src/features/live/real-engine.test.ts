/** The server with the real face engine and a painted clip: what a parent, staff and the lists get in the end. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { writeClip } from '@haris/painter/clip';
import { paintPortrait } from '@haris/painter/portrait';
import { chosenSeeds } from '@haris/painter/seeds';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { jpegSegments } from '../../testing/jpeg.ts';
import { type LiveClient, openLive } from '../../testing/live-socket.ts';
import { captureLog } from '../../testing/log.ts';
import { openMjpeg } from '../../testing/mjpeg.ts';
import { createVisionClient } from '../../vision/client.ts';
import { mediaFolder } from '../../vision/media.ts';
import { superviseVision, type VisionSupervisor } from '../../vision/supervisor.ts';

const [ownSeed, otherSeed, outsideSeed] = chosenSeeds;
const within = { timeout: 60_000, interval: 50 };

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
  while (!(await vision.healthy())) await new Promise((resolve) => setTimeout(resolve, 100));
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
    expect(jpegSegments(Buffer.from(layers[0] ?? [])).height).toBeLessThanOrEqual(48);
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
  await expect.poll(() => client.isOpen(), { timeout: 2_000, interval: 10 }).toBe(false);
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
