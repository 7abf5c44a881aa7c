/** Photos of a few hundred kilobytes that decode to gigabytes, sent to all calls with pictures, beside a live camera. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { writeClip } from '@haris/painter/clip';
import { makeFlatPng, makeFlatWebp, makeNoiseJpeg, makeStuffedPng } from '@haris/painter/huge-photos';
import { paintPortrait } from '@haris/painter/portrait';
import { chosenSeeds } from '@haris/painter/seeds';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Family, startTestApp, type TestApp } from '../testing/harness.ts';
import { type LiveClient, openLive } from '../testing/live-socket.ts';
import { captureLog } from '../testing/log.ts';
import { createVisionClient } from './client.ts';
import { mediaFolder } from './media.ts';
import { superviseVision, type VisionSupervisor } from './supervisor.ts';

const [seed] = chosenSeeds;
const within = { timeout: 240_000, interval: 50 };

let engine: VisionSupervisor;
let app: TestApp;
let staff: string;
let family: Family;
let childId: string;
let watcher: LiveClient;
const { log, lines } = captureLog();

beforeAll(async () => {
  engine = superviseVision(log, 'warn');
  const vision = createVisionClient(engine.address);
  app = await startTestApp({ vision, live: engine });
  await writeClip(
    {
      width: 640,
      height: 360,
      fps: 10,
      frames: 20,
      people: [{ seed, x: { middle: 0.5, swing: 0.04 }, y: { middle: 0.4 }, head: 0.28 }],
    },
    join(mediaFolder(app.dataDir), 'room.mp4'),
  );
  await vi.waitUntil(() => vision.healthy(), within);
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  staff = await app.staff();
  family = await app.makeFamily();
  childId = (await app.makeChild(family, 'Own', await paintPortrait({ seed })))._id;
  const json = { name: 'Room', area: 'Hall', kind: 'file', url: 'room.mp4' };
  const { camera } = await app.expect(201, 'POST', '/api/cameras', { token: staff, json });
  await vi.waitUntil(() => app.context.live.report(camera._id)?.state === 'live', within);
  const { port } = app.app.server.address() as AddressInfo;
  watcher = await openLive(port, `/api/live?camera_id=${camera._id}`, { token: staff, takes: true });
}, 120_000);
afterAll(async () => {
  watcher?.close();
  await app.close();
  await engine.stop();
});

test('are refused by every call that takes a photo, and the live picture goes on between', async () => {
  const bombs = await Promise.all([
    makeFlatPng(1, 40_000_000),
    makeFlatPng(40_000_000, 1),
    makeFlatPng(6_400, 6_400, { interlaced: true }),
    makeFlatWebp(16_383, 16_383),
  ]);
  const pid = engine.pid();
  const { token } = family;
  const visitor = (n: number) => ({
    name: 'Visitor',
    email: `visitor${n}@family.test`,
    phone: `0120000000${n}`,
    password: 'secret-enough',
  });
  const { barred } = await app.expect(201, 'POST', `/api/children/${childId}/barred`, {
    token: staff,
    json: { name: 'Karim Adel' },
  });
  const calls = [
    (photo: Buffer, n: number) =>
      app.ask('POST', '/api/parent/add', { form: { ...visitor(n), photo }, from: `10.7.7.${n}` }),
    (photo: Buffer) => app.ask('POST', '/api/face-guide', { token, form: { image: photo } }),
    (photo: Buffer) =>
      app.ask('POST', '/register-child', {
        token,
        form: { childName: 'Own', parentId: family.id, image: photo },
      }),
    (photo: Buffer) =>
      app.ask('POST', `/api/children/create-child/${family.id}`, {
        token: staff,
        form: { name: 'Second', photo },
      }),
    (photo: Buffer) => app.ask('POST', '/check-face', { token: staff, form: { image: photo } }),
    (photo: Buffer) => app.ask('POST', `/api/children/${childId}/photos`, { token: staff, form: { photo } }),
    (photo: Buffer) =>
      app.ask('PUT', `/api/children/update-child/${childId}`, { token: staff, form: { photo } }),
    (photo: Buffer) =>
      app.ask('PUT', `/api/parent/update-parent/${family.id}`, { token: staff, form: { photo } }),
    (photo: Buffer) => app.ask('PUT', `/api/barred/${barred._id}/photo`, { token: staff, form: { photo } }),
  ];
  let n = 0;
  const sender = async (mine: readonly Buffer[]) => {
    for (const [i, call] of calls.entries()) {
      const answer = await call(mine[i % mine.length] as Buffer, ++n);
      expect(answer, `call ${i}`).toMatchObject({ status: 422, body: { code: 'unreadable_photo' } });
      const seen = watcher.pictures.length;
      await expect.poll(() => watcher.pictures.length, within).toBeGreaterThan(seen);
    }
  };
  await Promise.all([sender(bombs), sender(bombs.toReversed())]);
  expect(engine.pid()).toBe(pid);
  expect(lines.filter((line) => line.includes('face engine ended'))).toEqual([]);
  expect(watcher.isOpen()).toBe(true);
  // A valid photo is still analysed.
  const image = await paintPortrait({ seed });
  const { faces } = await app.expect(200, 'POST', '/check-face', { token: staff, form: { image } });
  expect(faces[0]?.match?.childId).toBe(childId);
});

test('a photo of noise is kept in 400 kB, whoever sends it', async () => {
  const photo = await makeNoiseJpeg(1024, 1024);
  const json = {
    name: 'Noise',
    email: 'noise@family.test',
    phone: '01200000099',
    password: 'secret-enough',
  };
  await app.expect(201, 'POST', '/api/parent/add', { form: { ...json, photo }, from: '10.7.8.1' });
  await app.expect(200, 'PUT', `/api/parent/update-parent/${family.id}`, { token: staff, form: { photo } });
  const bodies = await app.context.db
    .selectFrom('photo_bodies')
    .innerJoin('photos', 'photos.id', 'photo_bodies.photo_id')
    .select('photo_bodies.sealed')
    .where('photos.owner_kind', '=', 'parent')
    .execute();
  expect(bodies).toHaveLength(2);
  // The seal adds some bytes.
  for (const { sealed } of bodies) expect(sealed.length).toBeLessThan(400_100);
});

test('texts of a PNG that unpack to gigabytes are left packed', async () => {
  const photo = await makeStuffedPng(await paintPortrait({ seed }), 'zTXt', {
    chunks: 100,
    size: 50_000_000,
  });
  expect(photo.length).toBeGreaterThan(4_000_000);
  const json = { name: 'Texts', email: 'texts@family.test', phone: '01200000098', password: 'secret-enough' };
  await app.expect(201, 'POST', '/api/parent/add', { form: { ...json, photo }, from: '10.7.8.2' });
});
