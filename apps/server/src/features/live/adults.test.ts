/** Recognised adults in live pictures: named for staff only, without any record of place or time. */
import type { AddressInfo } from 'node:net';
import type { Subject } from '@haris/contract/subject';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FakeLive, startFakeLive } from '../../testing/fake-live.ts';
import { encodingOf, fakePhoto } from '../../testing/fake-vision.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { type LiveClient, openLive } from '../../testing/live-socket.ts';
import { announceNotSeen } from '../sightings/service.ts';

const within = { timeout: 240_000, interval: 10 };
const MINE = '/api/admin/me/recognition';
const box = [0.1, 0.1, 0.2, 0.2] as [number, number, number, number];

let app: TestApp;
let live: FakeLive;
let staff: string;
let mother: Family;
let employee: Employee;
let room: string;
let child: string;
let port: number;
const clients: LiveClient[] = [];

beforeAll(async () => {
  live = await startFakeLive();
  app = await startTestApp({ live });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
  staff = await app.staff();
  mother = await app.makeFamily({ name: 'Mona Hassan' });
  employee = await app.makeEmployee({ name: 'Adel Fathy' });
  const json = { name: 'Room', area: 'Ground floor', kind: 'browser' };
  room = (await app.expect(201, 'POST', '/api/cameras', { token: staff, json })).camera._id;
  child = (await app.makeChild(mother, 'Lina'))._id;
  await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: staff });
});
beforeEach(async () => {
  await expect.poll(() => live.cameras.some(({ id }) => id === room), within).toBe(true);
  live.report(room);
  await expect.poll(() => app.context.live.report(room)?.state, within).toBe('live');
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(async () => {
  await app.close();
  await live.stop();
});

const guardian = (): Subject => ({ kind: 'parent', id: mother.id });
const colleague = (): Subject => ({ kind: 'staff', id: employee.id });
const lina = (): Subject => ({ kind: 'child', id: child });
const enrolled = (isWanted: (kind: Subject['kind']) => boolean) =>
  app.vision.gallery?.entries.filter(({ subject }) => isWanted(subject.kind)) ?? [];
const grownUps = () => enrolled((kind) => kind !== 'child');
const isInside = () => live.recognition?.inside.includes(child);

async function switchOn(): Promise<void> {
  await app.forgetLimits();
  const form = { photo: fakePhoto({ face: 'mona' }) };
  await app.expect(200, 'PUT', `/api/parent/update-parent/${mother.id}`, { token: mother.token, form });
  await app.expect(200, 'PUT', `/api/parent/${mother.id}/recognition`, { token: mother.token });
  const json = { accept: true };
  await app.expect(200, 'POST', `/api/parent/${mother.id}/confirm`, { token: staff, json });
  const photo = fakePhoto({ face: 'adel' });
  await app.expect(200, 'PUT', MINE, { token: employee.token, form: { photo } });
  await expect.poll(grownUps, within).toHaveLength(2);
}
async function watch(query: string, token: string): Promise<LiveClient> {
  const before = live.subscriptions.size;
  const client = await openLive(port, `/api/live?${query}`, { token, takes: true });
  clients.push(client);
  await expect.poll(() => live.subscriptions.size, within).toBe(before + 1);
  return client;
}
const faces = () => [
  { box, subject: lina() },
  { box, subject: guardian() },
  { box, subject: colleague() },
  { box, subject: null },
];

test('the gallery has them as subjects of their own, whether or not a child is inside, until they take it back', async () => {
  expect(grownUps()).toEqual([]);
  await switchOn();
  const before = app.vision.gallery?.revision ?? 0;
  expect(new Set(grownUps().map((entry) => JSON.stringify(entry)))).toEqual(
    new Set(
      [
        { subject: guardian(), encodings: [encodingOf('mona')] },
        { subject: colleague(), encodings: [encodingOf('adel')] },
      ].map((entry) => JSON.stringify(entry)),
    ),
  );
  expect(enrolled((kind) => kind === 'child').map(({ subject }) => subject)).toEqual([lina()]);
  expect(isInside()).toBe(true);
  await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: staff });
  await expect.poll(isInside, within).toBe(false);
  expect(grownUps()).toHaveLength(2);
  await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: staff });

  await app.expect(200, 'DELETE', `/api/parent/${mother.id}/recognition`, { token: mother.token });
  await expect.poll(() => grownUps().map(({ subject }) => subject), within).toEqual([colleague()]);
  expect(app.vision.gallery?.revision).toBeGreaterThan(before);
  await app.expect(200, 'DELETE', MINE, { token: employee.token });
  await expect.poll(grownUps, within).toEqual([]);
});

test('staff are shown name and role; who took it back is unknown again, whatever the engine still says', async () => {
  await switchOn();
  const client = await watch(`camera_id=${room}`, staff);
  live.show(() => true, { faces: faces() });
  await expect.poll(() => client.pictures.length, within).toBe(1);
  expect(client.pictures[0]?.header.faces).toEqual([
    { box, childId: child, name: 'Lina', kind: 'child' },
    { box, childId: null, name: 'Mona Hassan', kind: 'guardian' },
    { box, childId: null, name: 'Adel Fathy', kind: 'staff' },
    { box, childId: null, name: null, kind: 'unknown' },
  ]);
  await app.expect(200, 'DELETE', `/api/parent/${mother.id}/recognition`, { token: staff });
  await expect
    .poll(async () => {
      live.show(() => true, { faces: faces() });
      return client.pictures.at(-1)?.header.faces?.[1]?.kind;
    }, within)
    .toBe('unknown');
  expect(client.pictures.at(-1)?.header.faces?.[2]?.name).toBe('Adel Fathy');
});

test('no parent is shown any of it: not the faces, not a region that is sharp', async () => {
  await switchOn();
  const client = await watch(`target_id=${child}`, mother.token);
  live.show(() => true, { faces: faces() });
  live.show(() => true, { regions: [mother.id] });
  live.show(() => true, { mark: 'as it should be', regions: [child] });
  await expect.poll(() => client.pictures.length, within).toBe(1);
  const words = JSON.stringify(client.pictures[0]?.header);
  expect(words).toContain(child);
  expect(words).not.toMatch(/guardian|staff|Mona|Adel/);
  expect([...live.subscriptions.values()].at(-1)?.view).toEqual({ kind: 'only', childIds: [child] });
});

test('in a picture for other programs an adult’s box is its corners', async () => {
  await switchOn();
  const base = await sharp({ create: { width: 320, height: 180, channels: 3, background: '#5a5a5a' } })
    .jpeg()
    .toBuffer();
  const address = `http://127.0.0.1:${port}/video_feed?camera_id=${room}`;
  const stop = new AbortController();
  const answer = await fetch(address, {
    headers: { authorization: `Bearer ${staff}` },
    signal: stop.signal,
  });
  expect(answer.status).toBe(200);
  await expect
    .poll(() => [...live.subscriptions.values()].some(({ format }) => format === 'jpeg'), within)
    .toBe(true);
  const place = [0.1, 0.5, 0.2, 0.4] as [number, number, number, number];
  live.show(({ format }) => format === 'jpeg', {
    base,
    capturedAt: app.clock.now(),
    faces: [{ box: place, subject: guardian() }],
  });
  const chunks: Buffer[] = [];
  for await (const chunk of answer.body ?? []) {
    chunks.push(Buffer.from(chunk as Uint8Array));
    if (Buffer.concat(chunks).includes(Buffer.from([0xff, 0xd9]))) break;
  }
  stop.abort();
  const bytes = Buffer.concat(chunks);
  const jpeg = bytes.subarray(bytes.indexOf(Buffer.from([0xff, 0xd8, 0xff])));
  const { data } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  const isGrey = (x: number, y: number) => Math.abs((data[(y * 320 + x) * 3] ?? 0) - 90) < 12;
  // A corner, the middle of that edge, and the name above.
  expect([isGrey(32, 92), isGrey(32, 126), isGrey(64, 80)]).toEqual([false, true, false]);
});

test('that an adult is seen is kept nowhere, and nobody is told', async () => {
  await switchOn();
  const { db } = app.context;
  const heard: (string | null)[] = [];
  const stop = app.context.live.onSeen(({ childId }) => heard.push(childId));
  const kept = async () => ({
    sightings: await db.selectFrom('sightings').selectAll().where('child_id', '!=', child).execute(),
    announcements: await db
      .selectFrom('seen_announcements')
      .selectAll()
      .where('child_id', '!=', child)
      .execute(),
    episodes: await db.selectFrom('presence_conditions').selectAll().where('child_id', '!=', child).execute(),
    incidents: await db.selectFrom('incidents').selectAll().execute(),
    outside: await db.selectFrom('audit_log').selectAll().where('action', 'like', 'child.%seen%').execute(),
  });
  const others: Subject[] = [
    guardian(),
    colleague(),
    { kind: 'child', id: mother.id },
    { kind: 'child', id: employee.id },
  ];
  for (const subject of others)
    live.seen({
      cameraId: room,
      subject,
      trackId: `${subject.kind} ${subject.id}`,
      from: 0,
      to: 60_000,
      ended: true,
    });
  live.seen({ cameraId: room, subject: lina(), trackId: 'a child', ended: true });
  await expect
    .poll(() => db.selectFrom('sightings').selectAll().where('child_id', '=', child).execute(), within)
    .toHaveLength(1);
  stop();
  expect(heard).toEqual([mother.id, employee.id, child]);
  app.clock.advance(20 * 60_000);
  await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: await app.staff() });
  await announceNotSeen(app.context, new Map([['Ground floor', 0]]));
  await app.app.incidents.sweep();
  expect(await kept()).toEqual({
    sightings: [],
    announcements: [],
    episodes: [],
    incidents: [],
    outside: [],
  });
});
