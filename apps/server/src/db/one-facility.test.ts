/**
 * An installation of before there were facilities, with families, staff, rooms' worth of areas and a day's work: after the
 * next start all of it is of one facility, everybody does there what they did, and a second facility has nothing of it.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { facilityRoutes } from '@haris/contract/http/facilities';
import { createLogger } from '@haris/runtime/log';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openInstallation } from '../installation.ts';
import { atFacility, makeFacility } from '../testing/at-facility.ts';
import { makeClock } from '../testing/clock.ts';
import { type FreshDatabase, freshDb } from '../testing/database.ts';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startTestApp, type TestApp } from '../testing/harness.ts';
import { hashPassword } from '../vault/passwords.ts';
import { openDatabase } from './open.ts';
import type { Database } from './schema.ts';

/** The last migration of the version that knew neither roles nor facilities. */
const BEFORE = '130-second-factors';
const PASSWORD = 'a-password-of-old';
const clock = makeClock();
const HOUR_AGO = clock.now() - 3_600_000;

const staff = [
  { id: 'director', email: ADMIN_EMAIL, role: 'administrator' },
  { id: 'nadia', email: 'nadia@haris.test', role: 'employee' },
  { id: 'samir', email: 'samir@haris.test', role: 'employee' },
];
const families = [
  { id: 'mona', children: ['layla', 'omar'] },
  { id: 'huda', children: ['nour'] },
  { id: 'tarek', children: ['ziad', 'salma', 'karim'] },
  { id: 'new-one', children: [] },
];
const children = families.flatMap((family) => family.children);
const INSIDE = ['layla', 'nour', 'ziad'];
const AREAS = ['Garden', 'Nap room'];

let database: FreshDatabase;
let app: TestApp;
const dataDir = mkdtempSync(join(tmpdir(), 'haris-one-facility-'));
const insert = (db: Kysely<Database>, table: string, row: Record<string, string | number | null>) =>
  sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
    values (${sql.join(Object.values(row))})`.execute(db);

beforeAll(async () => {
  database = await freshDb();
  const log = createLogger('test', 'fatal');
  const place = { databaseUrl: database.url ?? null, dataDir, log, upTo: BEFORE };
  const { db, close } = await openDatabase(place);
  await openInstallation(db, dataDir);
  await fill(db);
  await close();
  const config = { DATA_DIR: dataDir, DATABASE_URL: database.url ?? '' };
  app = await startTestApp({ clock, config });
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function fill(db: Kysely<Database>): Promise<void> {
  const own = await hashPassword(PASSWORD);
  const person = (id: string) => ({ id, name: id, sort_name: id, created_at: HOUR_AGO });
  for (const [n, { id, email, role }] of staff.entries())
    await insert(db, 'staff', {
      ...person(id),
      email,
      role,
      password_hash: id === 'director' ? await hashPassword(ADMIN_PASSWORD) : own,
      national_id_mac: n === 0 ? null : `national id ${n}`,
      email_verified: 1,
      language: 'en',
      search_text: id,
    });
  for (const family of families) {
    await insert(db, 'parents', {
      ...person(family.id),
      email: `${family.id}@family.test`,
      password_hash: own,
      password_proof: 'staff',
      made_by: 'staff',
      email_verified: 1,
      language: 'en',
    });
    for (const id of family.children)
      await insert(db, 'children', { ...person(id), parent_id: family.id, version: 1 });
  }
  for (const id of children)
    await insert(db, 'stays', {
      id: `stay-${id}`,
      unique_entry_id: `entry-${id}`.padEnd(43, 'x'),
      child_id: id,
      checked_in_by: 'nadia',
      entry_time: HOUR_AGO,
      duration: 240,
      exit_time: INSIDE.includes(id) ? null : HOUR_AGO + 60_000,
      checked_out_by: INSIDE.includes(id) ? null : 'samir',
    });
  for (const [n, area] of AREAS.entries()) {
    const thing = { area, search_text: '' };
    await insert(db, 'cameras', {
      ...person(`camera-${n}`),
      ...thing,
      kind: 'browser',
      zones: '[]',
      enabled: 0,
    });
    await insert(db, 'sensors', {
      ...person(`sensor-${n}`),
      ...thing,
      kind: 'haris',
      demo: 0,
      username: `sensor-${n}`,
      topic: `sensor-${n}`,
      password_mac: '',
      device_key_mac: '',
      refused_count: 0,
    });
    await insert(db, 'sensor_readings', {
      sensor_id: `sensor-${n}`,
      at: HOUR_AGO,
      temperature: 21 + n,
      humidity: 40,
      mq2: 100,
    });
    await insert(db, 'incidents', {
      id: `incident-${n}`,
      kind: 'temperature',
      condition: `temperature sensor-${n}`,
      subject_kind: 'sensor',
      subject_id: `sensor-${n}`,
      area,
      worst: 41,
      threshold: 40,
      raised_at: HOUR_AGO,
      cleared_at: HOUR_AGO + 60_000,
    });
  }
  await insert(db, 'visitors', {
    id: 'plumber',
    kind: 'visitor',
    name: 'Plumber',
    search_text: 'plumber',
    signed_in_at: HOUR_AGO,
    signed_in_by: 'nadia',
  });
  for (const [key, value] of [
    ['facilityName', 'Little Stars'],
    ['timeZone', 'Africa/Cairo'],
  ] as const)
    await insert(db, 'settings', { key, value: JSON.stringify(value) });
}

/** What staff see with this token. */
async function whatIsAt(at: TestApp, token: string) {
  const get = (url: string) => at.expect(200, 'GET', url, { token });
  const [{ children: known }, { parents }, { rooms }, { visitors }, { sensors }, { incidents }] =
    await Promise.all([
      get('/api/children/get-all-children?limit=200'),
      get('/api/parent/get-all-parents?limit=200'),
      get('/api/rooms'),
      get('/api/visitors'),
      get('/api/sensors'),
      get('/api/incidents?state=all&limit=200'),
    ]);
  const ids = (list: readonly { _id: string }[]) => list.map(({ _id }) => _id).toSorted();
  return {
    children: ids(known),
    inside: ids(known.filter(({ isInside }) => isInside)),
    parents: ids(parents),
    rooms: Object.fromEntries(
      rooms.map(({ name, isDefault, children: count }) => [name, [isDefault, count]]),
    ),
    visitors: ids(visitors),
    sensors: ids(sensors),
    incidents: ids(incidents),
  };
}

const everything = {
  children: children.toSorted(),
  inside: INSIDE.toSorted(),
  parents: families.map(({ id }) => id).toSorted(),
  // Who is inside is in the facility's own room, and each area is a room beside it.
  rooms: { 'Little Stars': [true, INSIDE.length], Garden: [false, 0], 'Nap room': [false, 0] },
  visitors: ['plumber'],
  sensors: ['sensor-0', 'sensor-1'],
  incidents: ['incident-0', 'incident-1'],
};

test('there is one facility, and every row with a facility is of it', async () => {
  const answer = await app.expect(200, 'GET', '/api/facilities', { token: await app.staff() });
  const { facilities } = facilityRoutes.listFacilities.answer.parse(answer);
  expect(facilities).toMatchObject([{ _id: 'main', name: 'Little Stars' }]);
  const { db } = app.context;
  const columns = await db.introspection.getTables();
  const tables = columns.flatMap(({ name, columns: its }) =>
    its.some((column) => column.name === 'facility_id') ? [name] : [],
  );
  const filled: string[] = [];
  for (const table of tables) {
    const { rows } = await sql<{ facility: string | null }>`
      select distinct facility_id as facility from ${sql.table(table)}`.execute(db);
    if (rows.some(({ facility }) => facility === 'main')) filled.push(table);
    // Empty: of the organisation, as the owner's membership and its settings are.
    for (const { facility } of rows) expect(['main', '', null], table).toContain(facility);
  }
  const owned = ['cameras', 'child_facilities', 'incidents', 'memberships', 'rooms', 'sensors', 'settings'];
  expect(filled).toEqual(expect.arrayContaining([...owned, 'stays', 'visitors']));
});

test('each child is known there once, and the account of its family is its guardian', async () => {
  const { db } = app.context;
  const known = await db.selectFrom('child_facilities').select(['child_id', 'facility_id']).execute();
  expect(known.map(({ child_id, facility_id }) => [child_id, facility_id]).toSorted()).toEqual(
    children.map((id) => [id, 'main']).toSorted(),
  );
  for (const family of families) {
    const token = await app.signIn('parent', `${family.id}@family.test`, PASSWORD);
    const { children: own } = await app.expect(200, 'GET', '/api/children/get-all-children', { token });
    expect(own.map(({ _id }) => _id).toSorted()).toEqual(family.children.toSorted());
  }
});

test('everybody of the staff sees all of it, the director as owner and the others as managers', async () => {
  const owner = await app.staff();
  expect(await whatIsAt(app, owner)).toEqual(everything);
  const { admins } = await app.expect(200, 'GET', '/api/admin/get-all-admins?limit=200', { token: owner });
  expect(Object.fromEntries(admins.map(({ _id, roles }) => [_id, roles]))).toEqual({
    director: [{ roleId: 'owner', name: null, facilityId: null }],
    nadia: [{ roleId: 'manager', name: null, facilityId: 'main' }],
    samir: [{ roleId: 'manager', name: null, facilityId: 'main' }],
  });
  for (const { email } of staff.slice(1))
    expect(await whatIsAt(app, await app.signIn('admin', email, PASSWORD))).toEqual(everything);
});

test('a facility that is added later has nothing of it, and managers of the first may not enter', async () => {
  const there = await makeFacility(app, 'Little Moons');
  const nothing = await whatIsAt(atFacility(app, there), await app.staff());
  // A family without a child belongs to no facility yet.
  expect(nothing).toMatchObject({
    children: [],
    inside: [],
    parents: ['new-one'],
    visitors: [],
    sensors: [],
  });
  expect(nothing.incidents).toEqual([]);
  const nadia = await app.signIn('admin', 'nadia@haris.test', PASSWORD);
  const refused = await atFacility(app, there).ask('GET', '/api/children/get-all-children', { token: nadia });
  expect(refused).toMatchObject({ status: 404, body: { code: 'unknown_facility' } });
});

test('the day goes on: a child of before is checked out, and another in', async () => {
  const token = await app.signIn('admin', 'samir@haris.test', PASSWORD);
  await app.expect(200, 'POST', '/api/children/checkout-child/layla', { token });
  await app.expect(200, 'POST', '/api/children/checkin-child/omar', {
    token,
    json: { durationInMinutes: 60, confirm: true },
  });
  expect((await whatIsAt(app, token)).inside).toEqual(['nour', 'omar', 'ziad']);
});
