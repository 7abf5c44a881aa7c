/** Sightings: their rows, a child's last area, and the events for a child that is missed or should not be there. */
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteSightingsBefore } from '../../db/sightings.ts';
import { type FakeLive, startFakeLive } from '../../testing/fake-live.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { type EventClient, openEvents } from '../../testing/sse.ts';
import { announceNotSeen } from './service.ts';

let app: TestApp;
let live: FakeLive;
let staff: string;
let family: Family;
let room: string;
let hall: string;
let child: string;
const within = { timeout: 240_000, interval: 10 };
const MINUTE = 60_000;

beforeAll(async () => {
  live = await startFakeLive();
  app = await startTestApp({ live });
  family = await app.makeFamily();
  staff = await app.staff();
  [room, hall] = [await addCamera('Room'), await addCamera('Hall')];
});
beforeEach(async () => {
  await expect.poll(() => app.context.live.isUp(), within).toBe(true);
  app.clock.advance(60 * MINUTE);
  staff = await app.staff();
  child = (await app.makeChild(family))._id;
  await post('checkin');
});
afterEach(async () => {
  if (await isInside()) await post('checkout');
});
afterAll(async () => {
  await app.close();
  await live.stop();
});

async function addCamera(name: string): Promise<string> {
  const json = { name, area: `${name} area`, kind: 'browser' };
  return (await app.expect(201, 'POST', '/api/cameras', { token: staff, json })).camera._id;
}
const post = (what: 'checkin' | 'checkout', id = child) =>
  app.expect(200, 'POST', `/api/children/${what}-child/${id}`, { token: staff });
const listed = async (token = staff) =>
  (await app.expect(200, 'GET', '/api/children/get-all-children?limit=200', { token })).children.find(
    ({ _id }) => _id === child,
  );
const isInside = async () => (await listed())?.isInside === true;
const sightings = async (query = `childId=${child}`) =>
  (await app.expect(200, 'GET', `/api/sightings?${query}`, { token: staff })).sightings;
const said = async (type: string) =>
  (await app.context.db.selectFrom('events').selectAll().where('child_id', '=', child).execute()).filter(
    (event) => event.type === type,
  ).length;
/** Sends a note and waits until it is processed: the notes of one camera are processed in order. */
async function seen(cameraId: string, over: object = {}): Promise<void> {
  live.seen({
    cameraId,
    subject: { kind: 'child' as const, id: child },
    trackId: 'one',
    from: 1_000,
    to: 1_000,
    ...over,
  });
  const marker = (await app.makeChild(family))._id;
  live.seen({ cameraId, subject: { kind: 'child', id: marker }, trackId: marker, ended: true });
  await expect.poll(() => sightings(`childId=${marker}`), within).toHaveLength(1);
}

describe('a track', () => {
  test('is one row, however often it is told of, with times of our clock', async () => {
    const start = app.clock.now();
    await seen(room, { confidence: 0.4 });
    app.clock.advance(4_000);
    await seen(room, { to: 5_000, confidence: 0.5 });
    app.clock.advance(10_000);
    await seen(room, { to: 15_000, confidence: 0.8, ended: true });
    expect(await sightings()).toEqual([
      {
        childId: child,
        cameraId: room,
        area: 'Room area',
        from: new Date(start).toISOString(),
        to: new Date(start + 14_000).toISOString(),
        confidence: 0.8,
      },
    ]);
    await seen(hall, { trackId: 'two', ended: true });
    await seen(room, { trackId: 'three', ended: true });
    expect(await sightings()).toHaveLength(3);
  });

  test('of somebody unknown, of a camera or a child that is gone, is no row', async () => {
    const before = (await sightings('')).length;
    await seen(room, { subject: null, ended: true });
    await seen(room, { subject: { kind: 'child', id: 'nobody' }, ended: true });
    live.seen({ cameraId: 'nowhere', subject: { kind: 'child' as const, id: child }, ended: true });
    await seen(room, { trackId: 'real', ended: true });
    // Four marker children, whose sightings show that a note was processed, and the real one.
    expect((await sightings('limit=200')).length - before).toBeLessThanOrEqual(4);
    expect(await sightings()).toHaveLength(1);
  });

  test('is gone with its child, its camera, and after the days of the settings', async () => {
    const third = await addCamera('Third');
    await seen(third, { ended: true });
    await seen(room, { ended: true });
    await app.expect(200, 'DELETE', `/api/cameras/${third}`, { token: staff });
    expect((await sightings()).map(({ cameraId }) => cameraId)).toEqual([room]);
    await deleteSightingsBefore(app.context.db, app.clock.now());
    expect(await sightings()).toHaveLength(1);
    await deleteSightingsBefore(app.context.db, app.clock.now() + 1);
    expect(await sightings()).toHaveLength(0);
    await seen(room, { trackId: 'again', ended: true });
    await post('checkout');
    await app.expect(200, 'DELETE', `/api/children/delete-child/${child}`, { token: staff });
    expect(await sightings()).toHaveLength(0);
    child = (await app.makeChild(family))._id;
  });
});

test('sightings of one moment are each listed once, however the pages are cut', async () => {
  const at = app.clock.now();
  const common = {
    facility_id: 'main',
    child_id: child,
    camera_id: room,
    area: 'Room area',
    from_at: at,
    to_at: at,
    confidence: 1,
  };
  const ids = ['a', 'b', 'c', 'd', 'e'].map((track) => ({ ...common, track, id: crypto.randomUUID() }));
  await app.context.db.insertInto('sightings').values(ids).execute();
  for (const limit of [1, 2, 3]) {
    const pages: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null && pages.length < 10) {
      const url: string = `/api/sightings?childId=${child}&limit=${limit}${cursor && `&cursor=${cursor}`}`;
      const page = await app.expect(200, 'GET', url, { token: staff });
      pages.push(page.sightings.length);
      cursor = page.nextCursor;
    }
    expect(
      pages.reduce((sum, rows) => sum + rows, 0),
      `${limit} a page`,
    ).toBe(5);
    expect(pages).toHaveLength(Math.ceil(5 / limit));
  }
});

test('staff list sightings page by page, newest first, and since a moment', async () => {
  for (const trackId of ['a', 'b', 'c']) {
    await seen(room, { trackId, ended: true });
    app.clock.advance(MINUTE);
  }
  const first = await app.expect(200, 'GET', `/api/sightings?childId=${child}&limit=2`, { token: staff });
  expect(first.total).toBe(3);
  const rest = await app.expect(
    200,
    'GET',
    `/api/sightings?childId=${child}&limit=2&cursor=${first.nextCursor}`,
    { token: staff },
  );
  const times = [...first.sightings, ...rest.sightings].map(({ from }) => Date.parse(from));
  expect(times).toHaveLength(3);
  expect(times).toEqual([...times].sort((a, b) => b - a));
  expect(rest.nextCursor).toBeNull();
  const since = encodeURIComponent(new Date(app.clock.now() - 1.5 * MINUTE).toISOString());
  expect(await sightings(`childId=${child}&since=${since}`)).toHaveLength(1);
  expect((await app.ask('GET', '/api/sightings?cursor=x', { token: staff })).status).toBe(400);
});

test('the child’s list says where it was seen last, to staff and to the own parent, during this stay', async () => {
  expect((await listed())?.lastSeen).toBeNull();
  await seen(room, { ended: true });
  app.clock.advance(MINUTE);
  await seen(hall, { ended: true, trackId: 'later' });
  const lastSeen = { cameraId: hall, area: 'Hall area', at: new Date(app.clock.now()).toISOString() };
  expect((await listed())?.lastSeen).toEqual(lastSeen);
  expect((await listed(family.token))?.lastSeen).toEqual(lastSeen);
  await post('checkout');
  expect((await listed())?.lastSeen).toBeNull();
  app.clock.advance(MINUTE);
  await post('checkin');
  expect((await listed())?.lastSeen).toBeNull();
});

test('where there is no camera, nothing is said of where a child was seen', async () => {
  const bare = await startTestApp();
  const own = await bare.makeFamily();
  await bare.makeChild(own);
  const { children } = await bare.expect(200, 'GET', '/api/children/get-all-children', { token: own.token });
  expect(children).toHaveLength(1);
  expect(children[0]).not.toHaveProperty('lastSeen');
  await bare.close();
});

test('child.seen is said at most once in 30 seconds for a child and a camera', async () => {
  await seen(room, { trackId: 'a', ended: true });
  await seen(room, { trackId: 'b', ended: true });
  expect(await said('child.seen')).toBe(1);
  await seen(hall, { trackId: 'c', ended: true });
  expect(await said('child.seen')).toBe(2);
  app.clock.advance(30_000);
  await seen(room, { trackId: 'd', ended: true });
  expect(await said('child.seen')).toBe(3);
});

test('child.seen reaches staff who may see sightings, and no others', async () => {
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.app.server.address() as AddressInfo;
  // Sees families, so that every other event of a child arrives.
  const inspector = await app.makeEmployee();
  const json = { roles: [{ roleId: 'inspector', facilityId: 'main' }] };
  await app.expect(200, 'PUT', `/api/admin/${inspector.id}/roles`, { token: staff, json });
  const owners = await openEvents(port, staff);
  const inspectors = await openEvents(port, inspector.token);
  const types = ({ events }: EventClient) =>
    events.filter(({ data }) => data.childId === child).map(({ type }) => type);
  await seen(room, { ended: true });
  await post('checkout');
  // The later event proves that the earlier one would have arrived.
  for (const client of [owners, inspectors])
    await expect.poll(() => types(client), within).toContain('child.checked_out');
  expect(types(owners)).toEqual(['child.seen', 'child.checked_out']);
  expect(types(inspectors)).toEqual(['child.checked_out']);
  for (const client of [owners, inspectors]) client.close();
});

describe('a child inside whom no camera sees', () => {
  const areas = ['Room area', 'Hall area'];
  /** Both areas have been live for a day, or since `at`. */
  const live24 = (at = app.clock.now() - 24 * 60 * MINUTE) => new Map(areas.map((area) => [area, at]));
  /** Switches it on in these areas, after so many minutes. */
  async function watch(minutes: Record<string, number | null>): Promise<void> {
    const areaAlarms = Object.entries(minutes).map(([area, notSeenAfterMinutes]) => ({
      area,
      notSeenAfterMinutes,
    }));
    // Thresholds need a fresh sign-in.
    await app.expect(200, 'PUT', '/api/settings', { token: await app.staff(), json: { areaAlarms } });
  }
  afterEach(() => watch({}));

  test('is nothing as long as nobody has switched it on in the room, whatever the facility’s minutes', async () => {
    await app.expect(200, 'PUT', '/api/settings', { token: staff, json: { notSeenAfterMinutes: 1 } });
    await seen(room, { ended: true });
    app.clock.advance(4 * 60 * MINUTE);
    await announceNotSeen(app.context, live24());
    await watch({ 'Hall area': 1, 'Room area': null });
    await announceNotSeen(app.context, live24());
    expect(await said('child.not_seen')).toBe(0);
    await app.expect(200, 'PUT', '/api/settings', { token: staff, json: { notSeenAfterMinutes: 15 } });
  });

  test('is told of once, after the minutes of the room, until it is seen again', async () => {
    await watch({ 'Room area': 15 });
    await seen(room, { ended: true });
    app.clock.advance(15 * MINUTE - 1);
    await announceNotSeen(app.context, live24());
    expect(await said('child.not_seen')).toBe(0);
    app.clock.advance(1);
    await announceNotSeen(app.context, live24());
    await announceNotSeen(app.context, live24());
    expect(await said('child.not_seen')).toBe(1);
    await seen(room, { trackId: 'again', ended: true });
    app.clock.advance(14 * MINUTE);
    await announceNotSeen(app.context, live24());
    expect(await said('child.not_seen')).toBe(1);
    app.clock.advance(MINUTE);
    await announceNotSeen(app.context, live24());
    expect(await said('child.not_seen')).toBe(2);
  });

  test('and has never been seen counts only if all rooms with a camera are watched', async () => {
    await watch({ 'Room area': 3 });
    app.clock.advance(20 * MINUTE);
    await announceNotSeen(app.context, live24());
    expect(await said('child.not_seen')).toBe(0);
    await watch({ 'Room area': 3, 'Hall area': 21 });
    await announceNotSeen(app.context, live24());
    expect(await said('child.not_seen')).toBe(0);
    app.clock.advance(MINUTE);
    // It may be in the room whose camera is dark.
    await announceNotSeen(app.context, new Map([['Room area', 0]]));
    expect(await said('child.not_seen')).toBe(0);
    await announceNotSeen(app.context, live24());
    expect(await said('child.not_seen')).toBe(1);
  });

  test('is not missed while no camera of the room looked for so long, nor when it is outside', async () => {
    await watch({ 'Room area': 15 });
    await seen(room, { ended: true });
    app.clock.advance(60 * MINUTE);
    await announceNotSeen(app.context, live24(app.clock.now() - 15 * MINUTE + 1));
    await announceNotSeen(app.context, new Map([['Hall area', 0]]));
    expect(await said('child.not_seen')).toBe(0);
    await post('checkout');
    await announceNotSeen(app.context, live24());
    expect(await said('child.not_seen')).toBe(0);
  });
});

describe('an enrolled child seen while not checked in', () => {
  test('is told of once per episode', async () => {
    await post('checkout');
    await seen(room, { ended: true });
    expect(await said('child.seen_outside')).toBe(1);
    for (let minute = 0; minute < 8; minute++) {
      app.clock.advance(MINUTE);
      await seen(room, { trackId: `minute ${minute}`, ended: true });
    }
    expect(await said('child.seen_outside')).toBe(1);
    expect(await said('child.seen')).toBe(0);
    app.clock.advance(5 * MINUTE + 1);
    await seen(hall, { trackId: 'back', ended: true });
    expect(await said('child.seen_outside')).toBe(2);
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${child}`, { token: staff });
    expect(entries[0]).toMatchObject({
      action: 'child.seen_outside',
      actor: null,
      details: { cameraId: hall },
    });
  });
});
