/** Incidents of cameras, sightings, areas and the machine, and their ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Alarms } from '@haris/contract/alarms';
import type { IncidentKind } from '@haris/contract/incident-kinds';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readLastBackup, writeLastBackup } from '../../data-folder.ts';
import { type FakeLive, startFakeLive } from '../../testing/fake-live.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { detectDisk } from './kinds/machine.ts';

let app: TestApp;
let live: FakeLive;
let staff: string;
let family: Family;
let camera: string;
const within = { timeout: 240_000, interval: 10 };
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

beforeAll(async () => {
  live = await startFakeLive();
  app = await startTestApp({ live });
  family = await app.makeFamily();
  staff = await app.staff();
  camera = await addCamera('Playroom');
});
beforeEach(async () => {
  app.clock.advance(60 * MINUTE);
  staff = await app.staff();
  await expect.poll(() => app.context.live.isUp(), within).toBe(true);
  await report('live');
});
afterAll(async () => {
  await app.close();
  await live.stop();
});

async function addCamera(area: string): Promise<string> {
  const json = { name: `Camera of ${area}`, area, kind: 'mjpeg', url: 'http://192.0.2.7/stream' };
  return (await app.expect(201, 'POST', '/api/cameras', { token: staff, json })).camera._id;
}
async function report(state: 'live' | 'stalled', id = camera): Promise<void> {
  live.report(id, { state });
  await expect.poll(() => app.context.live.report(id)?.state, within).toBe(state);
}
async function settings(json: object): Promise<void> {
  await app.expect(200, 'PUT', '/api/settings', { token: staff, json });
}
async function alarms(over: Partial<Alarms>): Promise<void> {
  const now = (await app.expect(200, 'GET', '/api/settings', { token: staff })).settings.alarms;
  await settings({ alarms: { ...now, ...over } });
}
async function wait(ms: number): Promise<void> {
  app.clock.advance(ms);
  await app.app.incidents.sweep();
}
const listed = async (kind: IncidentKind, state = 'open') =>
  (
    await app.expect(200, 'GET', `/api/incidents?state=${state}&limit=200`, { token: staff })
  ).incidents.filter((incident) => incident.kind === kind);
const checkIn = async () => {
  const { _id } = await app.makeChild(family);
  await app.expect(200, 'POST', `/api/children/checkin-child/${_id}`, {
    token: staff,
    json: { durationInMinutes: 240 },
  });
  return _id;
};
const checkOut = (id: string) =>
  app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });
async function seen(childId: string, cameraId = camera, at = 0): Promise<void> {
  const { total } = await app.expect(200, 'GET', '/api/sightings', { token: staff });
  const track = { trackId: `${Math.random()}`, ended: true, from: at, to: at };
  live.seen({ cameraId, subject: { kind: 'child', id: childId }, ...track });
  await expect
    .poll(async () => (await app.expect(200, 'GET', '/api/sightings', { token: staff })).total, within)
    .toBe(total + 1);
}

describe('a camera', () => {
  test('that was live is told of after 30 s, and well again after 10 s of pictures', async () => {
    await wait(0);
    await report('stalled');
    await wait(0);
    await wait(30 * SECOND - 1);
    expect(await listed('camera_down')).toEqual([]);
    await wait(1);
    expect(await listed('camera_down')).toMatchObject([
      { area: 'Playroom', subject: { kind: 'camera', _id: camera, name: 'Camera of Playroom' } },
    ]);
    // A single picture does not end it.
    await report('live');
    await wait(SECOND);
    await report('stalled');
    await wait(SECOND);
    await wait(60 * SECOND);
    expect(await listed('camera_down', 'all')).toHaveLength(1);
    await report('live');
    await wait(0);
    await wait(10 * SECOND);
    expect(await listed('camera_down')).toEqual([]);
  });

  test('that fails again within the 10 s is still the same incident, and must be well for 10 s anew', async () => {
    await report('stalled');
    await wait(0);
    await wait(30 * SECOND);
    const [incident] = await listed('camera_down');
    await report('live');
    await wait(0);
    await wait(6 * SECOND);
    await report('stalled');
    await wait(0);
    await wait(30 * SECOND);
    await report('live');
    await wait(0);
    await wait(6 * SECOND);
    expect((await listed('camera_down')).map(({ _id }) => _id)).toEqual([incident?._id]);
    await wait(4 * SECOND);
    expect(await listed('camera_down')).toEqual([]);
  });

  test('that never was live is told of after 2 minutes, and no more once it is switched off', async () => {
    const hall = await addCamera('Hall');
    await wait(0);
    await wait(2 * MINUTE - 1);
    expect(await listed('camera_down')).toEqual([]);
    await wait(1);
    expect((await listed('camera_down')).map(({ subject }) => subject?._id)).toEqual([hall]);
    await app.expect(200, 'PUT', `/api/cameras/${hall}`, { token: staff, json: { enabled: false } });
    await wait(0);
    await wait(10 * SECOND);
    expect(await listed('camera_down')).toEqual([]);
  });
});

/** Marks a child inside as not seen. */
async function miss(id: string): Promise<void> {
  const { db } = app.context;
  const [stay] = await db.selectFrom('stays').selectAll().where('child_id', '=', id).execute();
  await db
    .insertInto('presence_conditions')
    .values({ child_id: id, not_seen_stay: String(stay?.id), outside_seen_at: null })
    .onConflict((conflict) => conflict.column('child_id').doUpdateSet({ not_seen_stay: String(stay?.id) }))
    .execute();
}

describe('a child', () => {
  beforeEach(() => settings({ areaAlarms: [{ area: 'Playroom', notSeenAfterMinutes: 15 }] }));

  test('inside and not seen is told of until it is seen', async () => {
    const id = await checkIn();
    await miss(id);
    await wait(0);
    await wait(MINUTE);
    expect((await listed('not_seen')).map(({ subject }) => subject?._id)).toEqual([id]);
    await seen(id);
    await wait(0);
    expect(await listed('not_seen')).toEqual([]);
    expect(await listed('not_seen', 'all')).toHaveLength(1);
    await checkOut(id);
  });

  test('that is missed again is looked for where it was seen last, since that time', async () => {
    await settings({
      areaAlarms: ['Playroom', 'Garden'].map((area) => ({ area, notSeenAfterMinutes: 15 })),
    });
    const garden = await addCamera('Garden');
    const [id, other] = [await checkIn(), await checkIn()];
    await seen(id, camera, app.clock.now());
    await miss(id);
    await miss(other);
    await wait(0);
    const first = (await listed('not_seen'))[0];
    expect(first?.subjects.find(({ _id }) => _id === id)).toMatchObject({ area: 'Playroom' });
    await wait(MINUTE);
    await seen(id, garden, app.clock.now());
    await wait(0);
    await miss(id);
    await wait(MINUTE);
    const [now] = await listed('not_seen');
    expect(now?._id).toBe(first?._id);
    expect(now?.subjects.find(({ _id }) => _id === id)).toMatchObject({
      area: 'Garden',
      since: new Date(app.clock.now()).toISOString(),
      until: null,
    });
    for (const one of [id, other]) await checkOut(one);
    await app.expect(200, 'DELETE', `/api/cameras/${garden}`, { token: staff });
  });

  test('that is not seen is no incident any more once staff switch it off in the room', async () => {
    const id = await checkIn();
    await miss(id);
    await wait(0);
    expect(await listed('not_seen')).toMatchObject([
      { severity: 'care', limit: 15, subjects: [{ _id: id }] },
    ]);
    await settings({ areaAlarms: [{ area: 'Playroom', notSeenAfterMinutes: null }] });
    await wait(0);
    expect(await listed('not_seen')).toEqual([]);
    await checkOut(id);
  });

  test('that was missed in an earlier stay is not missed in the next one', async () => {
    const id = await checkIn();
    await miss(id);
    await wait(0);
    expect(await listed('not_seen')).toHaveLength(1);
    await checkOut(id);
    await wait(0);
    expect(await listed('not_seen')).toEqual([]);
    await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, {
      token: staff,
      json: { durationInMinutes: 240 },
    });
    await wait(0);
    expect(await listed('not_seen')).toEqual([]);
    await checkOut(id);
  });

  test('seen and not checked in is told of until it is, or was not seen for 5 minutes', async () => {
    const { _id } = await app.makeChild(family);
    await seen(_id);
    await wait(0);
    expect((await listed('seen_outside')).map(({ subject }) => subject?._id)).toEqual([_id]);
    await wait(5 * MINUTE);
    await seen(_id);
    await wait(MINUTE);
    expect(await listed('seen_outside')).toHaveLength(1);
    await app.expect(200, 'POST', `/api/children/checkin-child/${_id}`, { token: staff });
    await wait(0);
    expect(await listed('seen_outside')).toEqual([]);
    expect(await listed('seen_outside', 'all')).toHaveLength(1);
    await checkOut(_id);
  });
});

test('a face that stays unknown is told of only where the settings ask for it', async () => {
  const stranger = () => live.seen({ cameraId: camera, subject: null, from: 0, to: 8_000 });
  const passerBy = () => live.seen({ cameraId: camera, subject: null, from: 0, to: 2_000 });
  /** Notes are processed in order. */
  const taken = async () => seen((await app.makeChild(family))._id);
  stranger();
  await taken();
  await wait(0);
  expect(await listed('unknown_person')).toEqual([]);
  await settings({ areaAlarms: [{ area: 'Playroom', unknownPerson: true }] });
  await wait(SECOND);
  passerBy();
  await taken();
  await wait(0);
  expect(await listed('unknown_person')).toEqual([]);
  stranger();
  await taken();
  await wait(0);
  expect((await listed('unknown_person')).map(({ area }) => area)).toEqual(['Playroom']);
  await wait(59 * SECOND);
  await wait(0);
  expect(await listed('unknown_person')).toHaveLength(1);
  await wait(2 * MINUTE);
  expect(await listed('unknown_person')).toEqual([]);
  await settings({ areaAlarms: [] });
});

test('the capacity of the whole facility is off until somebody sets it', async () => {
  const [first, second] = [await checkIn(), await checkIn()];
  await wait(0);
  expect(await listed('capacity')).toEqual([]);
  await alarms({ capacity: 2 });
  await wait(0);
  expect(await listed('capacity')).toMatchObject([{ area: null, value: 2, limit: 2 }]);
  await checkOut(first);
  await wait(0);
  // An immediate return does not open a second incident.
  await app.expect(200, 'POST', `/api/children/checkin-child/${first}`, { token: staff });
  await wait(30 * SECOND);
  await checkOut(first);
  await wait(0);
  expect(await listed('capacity')).toHaveLength(1);
  await wait(MINUTE);
  expect(await listed('capacity')).toEqual([]);
  expect(await listed('capacity', 'all')).toHaveLength(1);
  await alarms({ capacity: null });
  await checkOut(second);
});

test('an open alert for the former limit of a room ends by itself', async () => {
  const { db, clock } = app.context;
  await sql`insert into incidents (id, facility_id, kind, condition, area, raised_at)
    values ('former', 'main', 'capacity', 'capacity Playroom', 'Playroom', ${clock.now()})`.execute(db);
  expect((await listed('capacity')).map(({ _id }) => _id)).toEqual(['former']);
  await wait(0);
  await wait(MINUTE);
  expect(await listed('capacity')).toEqual([]);
});

test('a backup is overdue after a week once one was made, or after the days that are set', async () => {
  const { dataDir } = app;
  await wait(0);
  expect(await listed('backup')).toEqual([]);
  writeLastBackup(dataDir, app.clock.now());
  await wait(7 * DAY);
  staff = await app.staff();
  expect(await listed('backup')).toEqual([]);
  await wait(1);
  expect(await listed('backup')).toMatchObject([{ value: 7, limit: 7 }]);
  writeLastBackup(dataDir, app.clock.now());
  await wait(0);
  expect(await listed('backup')).toEqual([]);
  await settings({ backupDueDays: 2 });
  await wait(2 * DAY + 1);
  staff = await app.staff();
  expect(await listed('backup')).toHaveLength(1);
  await settings({ backupDueDays: null });
  await wait(0);
  expect(await listed('backup')).toEqual([]);
  const nowhere = mkdtempSync(join(tmpdir(), 'haris-test-'));
  expect(readLastBackup(nowhere)).toBeNull();
  rmSync(nowhere, { recursive: true });
});

test('a disk is nearly full below a tenth or a gibibyte, and well only some way above', async () => {
  const GIB = 1024 ** 3;
  let space = { freeBytes: 50 * GIB, totalBytes: 100 * GIB };
  const detect = detectDisk(async () => space);
  let now = 0;
  const look = async (freeBytes: number, totalBytes = 100 * GIB) => {
    space = { freeBytes, totalBytes };
    now += MINUTE;
    const detection = await detect(now);
    if (detection?.findings.length) return 'full';
    return detection?.goingOn?.has('disk') ? 'as before' : 'well';
  };
  expect(await look(50 * GIB)).toBe('well');
  expect(await look(10 * GIB - 1)).toBe('full');
  expect(await look(10 * GIB)).toBe('as before');
  expect(await look(12 * GIB)).toBe('well');
  expect(await look(GIB - 1, 2 * GIB)).toBe('full');
  expect(await look(1.1 * GIB, 2 * GIB)).toBe('as before');
  expect(await look(1.2 * GIB, 2 * GIB)).toBe('well');
  // Nothing changes between two looks.
  expect(await detect(now + MINUTE - 1)).toBeNull();
});
