/** Staff of one facility get nothing of another: each call of the contract, asked for what is of another (decision 048). */
import type { AddressInfo } from 'node:net';
import { FACILITY_HEADER } from '@haris/contract/constants';
import type { Route } from '@haris/contract/http/route';
import { routes } from '@haris/contract/http/routes';
import { ORGANISATION_PERMISSIONS, PERMISSIONS, type Permission } from '@haris/contract/permissions';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { MAIN_FACILITY } from '../facility.ts';
import { atFacility, makeFacility } from '../testing/at-facility.ts';
import { bookEveryDay } from '../testing/bookings.ts';
import { callExamples, type Prepared, type RouteId } from '../testing/call-examples.ts';
import { type ExampleWorld, makeExampleWorld } from '../testing/example-world.ts';
import { fakePhoto } from '../testing/fake-vision.ts';
import { type Answer, type Family, makeNationalId, startTestApp, type TestApp } from '../testing/harness.ts';
import { openEvents } from '../testing/sse.ts';

const within = { timeout: 240_000, interval: 20 };
const newEmployee = () => ({ name: 'New', password: 'a-staff-password', nationalId: makeNationalId() });

/** In every name that the test gives to something at the other facility. */
const THEIRS = 'Zanzibar';

let app: TestApp;
/** The same server; its requests are made at the other facility. */
let there: TestApp;
let elsewhere: string;
let here: ExampleWorld;
let world: ExampleWorld;
/** Token of somebody with every permission that counts at one facility, at the main one. */
let staff: string;
let owner: string;
let theirFamily: Family;

beforeAll(async () => {
  app = await startTestApp();
  owner = await app.staff();
  const gone = await app.makeEmployee();
  await app.expect(200, 'DELETE', `/api/admin/delete-admin/${gone.id}`, { token: owner });
  const own = await app.makeFamily();
  here = await makeExampleWorld({ app, staff: owner, own, gone });
  staff = await here.signInWith(await here.makeRole(PERMISSIONS));
  elsewhere = await makeFacility(app, `${THEIRS} nursery`);
  there = atFacility(app, elsewhere);
  theirFamily = await there.makeFamily({ name: `${THEIRS} parent` });
  world = await makeExampleWorld({ app: there, staff: owner, own: theirFamily, gone, facility: elsewhere });
  await settle();
});
afterAll(() => app.close());
beforeEach(() => app.forgetLimits());

/** Fills the other facility with one of each. */
async function settle(): Promise<void> {
  const token = owner;
  const send = (status: number, path: string, json: object) =>
    there.expect(status, 'POST', path, { token, json });
  const inside = await there.makeChild(theirFamily, `${THEIRS} child`, fakePhoto({ face: 'theirs' }));
  await there.expect(200, 'POST', `/api/children/checkin-child/${inside._id}`, { token });
  await there.makeEmployee({ name: `${THEIRS} teacher` });
  await send(201, '/api/rooms', { name: `${THEIRS} room` });
  const { camera } = await send(201, '/api/cameras', {
    name: `${THEIRS} camera`,
    area: `${THEIRS} hall`,
    kind: 'browser',
  });
  const made = await send(201, '/api/sensors', {
    name: `${THEIRS} sensor`,
    area: `${THEIRS} hall`,
    kind: 'haris',
  });
  await there.expect(202, 'POST', `/api/sensors/${made.sensor._id}/readings`, {
    json: { temperature: 48.5 },
    headers: { 'x-device-key': made.deviceKey },
  });
  await send(201, '/api/home-assistant-accounts', { name: `${THEIRS} home` });
  await send(201, '/api/visitors', { name: `${THEIRS} visitor` });
  await send(201, '/api/kiosks', { name: `${THEIRS} kiosk` });
  await world.askedFor(await world.child());
  await bookEveryDay(there, token, inside._id);
  await world.makeApproval();
  await world.evacuate();
  const at = app.clock.now();
  await app.context.db
    .insertInto('sightings')
    .values({
      ...{ id: 'sighting-of-theirs', facility_id: elsewhere, child_id: inside._id, camera_id: camera._id },
      ...{ area: `${THEIRS} hall`, track: 'track', from_at: at, to_at: at, confidence: 0.9 },
    })
    .execute();
  await app.context.db
    .insertInto('desk_entries')
    .values({
      ...{
        id: 'desk-entry-of-theirs',
        facility_id: elsewhere,
        child_id: inside._id,
        desk_id: 'desk-of-theirs',
      },
      ...{
        kind: 'check_out',
        staff_id: null,
        happened_at: at,
        claimed_at: null,
        is_unsure: 0,
        received_at: at,
      },
      ...{ fingerprint: 'x', outcome: 'conflict', reason: 'unknown_stay', took_effect: 0, entry_code: 'x' },
      ...{ stay_id: null, sealed: null },
    })
    .execute();
}

/** Tables of facilities whose rows have an id. */
const OWNED = [
  ...['rooms', 'head_counts', 'cameras', 'sensors', 'home_assistant_accounts', 'kiosks', 'kiosk_requests'],
  ...['stays', 'incidents', 'visitors', 'sightings', 'approvals', 'desk_entries'],
] as const;

/** The other facility's rows of a table. Every table above has these columns. */
const rowsIn = (table: (typeof OWNED)[number]) =>
  app.context.db
    .selectFrom(table as 'rooms')
    .selectAll()
    .where('facility_id', '=', elsewhere)
    .orderBy('id')
    .execute();
const childrenThere = () =>
  app.context.db
    .selectFrom('child_facilities')
    .innerJoin('children', 'children.id', 'child_id')
    .selectAll('children')
    .where('facility_id', '=', elsewhere)
    .orderBy('children.id')
    .execute();
const staffThere = () =>
  app.context.db
    .selectFrom('memberships')
    .innerJoin('staff', 'staff.id', 'staff_id')
    .selectAll('staff')
    .where('facility_id', '=', elsewhere)
    .orderBy('staff.id')
    .execute();

/** Ids, e-mails and names of all that is only of the other facility. */
async function secrets(): Promise<string[]> {
  const things = await Promise.all(OWNED.map(rowsIn));
  const stays = await app.context.db
    .selectFrom('stays')
    .select('unique_entry_id')
    .where('facility_id', '=', elsewhere)
    .execute();
  const people = [...(await childrenThere()), ...(await staffThere())];
  const emails = (await staffThere()).map(({ email }) => email);
  return [
    ...[...things.flat(), ...people].map(({ id }) => id),
    ...people.flatMap(({ photo_id }) => photo_id ?? []),
    ...stays.map(({ unique_entry_id }) => unique_entry_id),
    ...[...emails, theirFamily.id, theirFamily.email, THEIRS],
  ];
}

/** Fails if an answer has anything of the other facility, except what the request named itself. */
async function expectNothingOfTheirs(answer: Answer, asked: string): Promise<void> {
  const text = `${answer.bytes.toString('utf8')} ${JSON.stringify(answer.headers)}`;
  const told = (await secrets()).filter((one) => text.includes(one) && !asked.includes(one));
  expect(told, text.slice(0, 2000)).toEqual([]);
}

/** All rows of the other facility, and its people. */
async function rowsOfTheirs(): Promise<unknown> {
  const parent = app.context.db.selectFrom('parents').selectAll().where('id', '=', theirFamily.id);
  const things = await Promise.all(OWNED.map(rowsIn));
  return [things, await childrenThere(), await staffThere(), await parent.execute()];
}

/** Calls that name something of the other facility in the query or body, and answer as if it did not exist. */
const NAMED_ELSEWHERE: ReadonlySet<RouteId> = new Set([
  'createTicket',
  'findEntry',
  'getVideoFeed',
  'markPickupSeen',
  'moveChildren',
  'registerFace',
  'startHeadCount',
]);
/** Calls about a family that their example makes without a child, as which it is known everywhere. */
const ABOUT_FAMILY: ReadonlySet<RouteId> = new Set([
  'deleteParent',
  'resetParentFactors',
  'resendParentLink',
]);
/** Refused for another reason. */
const REFUSED: Partial<Record<RouteId, { readonly status: number; readonly code: string }>> = {
  // The example's setting is the organisation's, which needs the permission at every facility.
  updateSettings: { status: 403, code: 'forbidden' },
  // The webhook receives the incidents of all facilities.
  updateWebhook: { status: 403, code: 'forbidden' },
  addSampleData: { status: 409, code: 'not_empty' },
};
/** A stream that never ends, and the end of the session itself. Both are below. */
const NOT_HERE: ReadonlySet<RouteId> = new Set(['streamEvents', 'logout']);

const all = Object.values(routes) as readonly (Route & { id: RouteId })[];
const asStaff = all.filter(
  ({ access, id }) => (access === 'staff' || access === 'signed-in') && !NOT_HERE.has(id),
);

/** The answer that somebody of the main facility gets to a request about the other one; null: any. */
function usual({ id, path, permission, status }: Route & { id: RouteId }): object | null {
  if (REFUSED[id]) return REFUSED[id];
  if (ORGANISATION_PERMISSIONS.has(permission as Permission)) return { status: 403, code: 'forbidden' };
  if (/\{\w+\}/.test(path) || NAMED_ELSEWHERE.has(id)) return { status: 404, code: 'not_found' };
  // About the own account: no facility is asked about.
  return permission === 'own' ? null : { status, code: undefined };
}

/** A request about the other facility. */
async function aboutThem({ id, path }: Route & { id: RouteId }): Promise<Prepared> {
  // The face of a child that is enrolled there: the gallery is one for all facilities.
  if (id === 'checkFace') return { url: path, ask: { form: { image: fakePhoto({ face: 'theirs' }) } } };
  if (ABOUT_FAMILY.has(id)) return { url: path.replace('{id}', theirFamily.id) };
  return callExamples[id](world);
}

describe.each(asStaff.map((route) => [route.id, route] as const))('%s', (id, route) => {
  test('about the other facility, asked at the own one: as if it did not exist', async () => {
    const { url, ask = {} } = await aboutThem(route);
    await app.forgetLimits();
    await app.proveNow(staff);
    const before = await rowsOfTheirs();
    const answer = await app.ask(route.method, url, { ...ask, token: staff });
    await expectNothingOfTheirs(answer, url);
    const expected = usual(route);
    const { status } = answer;
    if (expected)
      expect({ id, status, code: status < 400 ? undefined : answer.body.code }).toEqual({ id, ...expected });
    expect(await rowsOfTheirs()).toEqual(before);
  });

  test('asked at the other facility: 404 unknown_facility', async () => {
    const { url, ask = {} } = await aboutThem(route);
    const headers = { ...ask.headers, [FACILITY_HEADER]: elsewhere };
    expect(await app.ask(route.method, url, { ...ask, headers, token: staff })).toMatchObject({
      status: 404,
      body: { code: 'unknown_facility' },
    });
  });
});

test('a face that is enrolled at the other facility is recognised there, and is of nobody here', async () => {
  const form = () => ({ image: fakePhoto({ face: 'theirs' }) });
  const token = await app.staff();
  const known = await there.expect(200, 'POST', '/check-face', { token, form: form() });
  expect(known.faces).toMatchObject([{ match: { name: `${THEIRS} child` } }]);
  const { faces } = await app.expect(200, 'POST', '/check-face', { token: staff, form: form() });
  expect(faces).toMatchObject([{ match: null }]);
  expect(faces[0]).not.toHaveProperty('question');
});

/** Calls that read something of a child or family. */
const ABOUT_PEOPLE = asStaff.filter(
  ({ id, method, path }) =>
    method === 'GET' &&
    /^\/api\/(children|parent)\/.*\{id\}/.test(path) &&
    // It names the facilities that know the child.
    id !== 'listChildFacilities',
);

describe('of a child that is known at both facilities, and of a family without a child', () => {
  let shared: ExampleWorld;
  let lonely: ExampleWorld;
  /** What staff of both see, because it is the family's own. */
  let seen: string;

  beforeAll(async () => {
    const token = await app.staff();
    const family = await app.makeFamily({ name: 'Known at both' });
    const child = await app.makeChild(family, 'Known at both', fakePhoto({ face: 'known at both' }));
    const at = { token, json: { facilityId: elsewhere } };
    await app.expect(200, 'POST', `/api/children/${child._id}/facilities`, at);
    await bookEveryDay(there, token, child._id);
    await there.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token });
    app.clock.advance(1000);
    await there.expect(200, 'POST', `/api/children/checkout-child/${child._id}`, { token });
    const now = app.clock.now();
    await app.context.db
      .insertInto('sightings')
      .values({
        ...{ id: 'sighting-of-shared', facility_id: elsewhere, child_id: child._id },
        camera_id: await world.camera(),
        ...{ area: `${THEIRS} hall`, track: 'track', from_at: now, to_at: now, confidence: 0.9 },
      })
      .execute();
    seen = `${child._id} ${child.photo}`;
    shared = { ...here, own: family, child: async () => child._id };
    lonely = { ...here, own: await there.makeFamily({ name: 'Without a child' }) };
  });
  afterAll(async () => {
    for (const { own } of [shared, lonely]) {
      const token = await app.staff();
      await app.expect(200, 'DELETE', `/api/parent/delete-parent/${own.id}`, { token });
    }
  });

  test.each(ABOUT_PEOPLE.map((route) => [route.id, route] as const))(
    '%s tells nothing of the other facility',
    async (id, route) => {
      const worlds = route.path.startsWith('/api/parent/') ? [shared, lonely] : [shared];
      for (const one of worlds) {
        const { url, ask = {} } = await callExamples[id](one);
        await app.forgetLimits();
        await app.proveNow(staff);
        const answer = await app.ask('GET', url, { ...ask, token: staff });
        expect(answer.status).toBe(route.status);
        await expectNothingOfTheirs(answer, `${url} ${seen}`);
      }
    },
  );
});

describe('of a child and a family that are known at both facilities', () => {
  let family: Family;
  let child: string;
  let token: string;
  const url = (call: string) => `/api/children/${call}-child/${child}`;

  beforeAll(async () => {
    token = await app.staff();
    family = await app.makeFamily({ name: 'Shared' });
    child = (await app.makeChild(family, 'Shared', fakePhoto({ face: 'shared' })))._id;
    const json = { facilityId: elsewhere };
    await app.expect(200, 'POST', `/api/children/${child}/facilities`, { token, json });
  });

  test('inside at the other: 409 already_inside, and no word of that stay', async () => {
    const { child: before } = await app.expect(200, 'POST', url('checkin'), { token });
    const entry = { uniqueEntryId: before.uniqueEntryId };
    await app.expect(200, 'POST', url('checkout'), { token });
    app.clock.advance(1000);
    await there.expect(200, 'POST', url('checkin'), { token });
    expect(await app.ask('POST', url('checkin'), { token: staff })).toMatchObject({
      status: 409,
      body: { code: 'already_inside' },
    });
    expect(await app.ask('POST', url('checkout'), { token: staff })).toMatchObject({
      status: 409,
      body: { code: 'not_inside' },
    });
    expect(await app.ask('POST', url('undo-checkout'), { token: staff, json: entry })).toMatchObject({
      status: 409,
      body: { code: 'already_inside' },
    });
    const got = await app.expect(200, 'GET', `/api/children/get-child/${child}`, { token: staff });
    expect(got.child).toMatchObject({ isInside: false, uniqueEntryId: null });
    const answer = await app.ask('GET', `/api/children/${child}/stays`, { token: staff });
    await expectNothingOfTheirs(answer, child);
  });

  test('deleted only by somebody who may at both, and never while inside at the other', async () => {
    for (const path of [url('delete'), `/api/parent/delete-parent/${family.id}`]) {
      await app.proveNow(staff);
      expect(await app.ask('DELETE', path, { token: staff })).toMatchObject({
        status: 403,
        body: { code: 'beyond_own_rights' },
      });
      expect(await app.ask('DELETE', path, { token })).toMatchObject({
        status: 409,
        body: { code: 'child_inside' },
      });
    }
    await there.expect(200, 'POST', url('checkout'), { token });
    await app.expect(200, 'DELETE', `/api/parent/delete-parent/${family.id}`, { token });
    for (const at of [app, there])
      expect((await at.ask('GET', `/api/children/get-child/${child}`, { token })).status).toBe(404);
  });
});

test('an e-mail of an account at the other facility is taken', async () => {
  const json = { name: 'New', email: theirFamily.email };
  expect(await app.ask('POST', '/api/parent/create-parent', { token: staff, json })).toMatchObject({
    status: 409,
    body: { code: 'email_taken' },
  });
  const rows = [{ ...json, phone: '' }];
  const preview = await app.expect(200, 'POST', '/api/imports/parents/preview', {
    token: staff,
    json: { rows },
  });
  expect(preview).toMatchObject({ problems: [{ row: 0, field: 'email' }] });
  const [teacher] = await staffThere();
  const employee = { ...newEmployee(), email: String(teacher?.email) };
  await app.proveNow(staff);
  expect(await app.ask('POST', '/api/admin/create-admin', { token: staff, json: employee })).toMatchObject({
    status: 409,
    body: { code: 'email_taken' },
  });
});

test('the owner gets the things of the facility that the request names, and only those', async () => {
  const token = await app.staff();
  const lists = [
    ...['/api/children/get-all-children', '/api/parent/get-all-parents', '/api/admin/get-all-admins'],
    ...['/api/rooms', '/api/cameras', '/api/sensors', '/api/kiosks', '/api/visitors', '/api/kiosk-requests'],
    ...[
      '/api/home-assistant-accounts',
      '/api/sightings',
      '/api/bookings/today',
      '/api/incidents?state=all',
      '/api/roll-call',
    ],
    ...['/api/reports/attendance', '/api/approvals', `/api/search?q=${THEIRS}`],
  ];
  for (const path of lists) {
    await expectNothingOfTheirs(await app.ask('GET', path, { token }), path);
    const text = (await there.ask('GET', path, { token })).bytes.toString('utf8');
    expect((await secrets()).filter((one) => text.includes(one)).length, path).toBeGreaterThan(0);
  }
});

test('a device of the one facility opens nothing of the other', async () => {
  const tablet = await here.pairDesk();
  const desk = await app.ask('GET', '/api/desk', { token: tablet });
  expect(desk.status).toBe(200);
  await expectNothingOfTheirs(desk, '');
  const [teacher] = await staffThere();
  const json = { staffId: String(teacher?.id), pin: '835162' };
  expect((await app.ask('POST', '/api/desk/sign-in', { token: tablet, json })).status).toBeGreaterThan(400);
  const photo = (await world.staffPhoto()).replace('/api/admin/', '/api/desk/');
  expect((await app.ask('GET', photo, { token: tablet })).status).toBe(404);
  const { visit } = await world.askedFor(await world.child());
  const visitUrl = `/api/kiosk/requests/${visit}`;
  expect((await app.ask('GET', visitUrl, { token: here.device })).status).toBe(404);
  const code = { code: await world.parentCode() };
  const answer = await app.ask('POST', '/api/kiosk/identify', { token: here.device, json: code });
  await expectNothingOfTheirs(answer, '');
  expect(answer.body.code).toBe('wrong_code');
});

describe('over a real connection', () => {
  let port: number;
  beforeAll(async () => {
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    port = (app.app.server.address() as AddressInfo).port;
  });

  /** Opens `/ws`; collects what it says. */
  async function readings(token: string, facility: string): Promise<{ said: string[]; socket: WebSocket }> {
    const said: string[] = [];
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws?facility=${facility}`, ['bearer', token]);
    socket.on('message', (data) => said.push(String(data)));
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return { said, socket };
  }
  async function makeHot(at: TestApp, temperature: number): Promise<string> {
    const token = await app.staff();
    const json = { name: `Sensor ${temperature}`, area: 'Hall', kind: 'haris' };
    const { sensor, deviceKey } = await at.expect(201, 'POST', '/api/sensors', { token, json });
    await at.expect(202, 'POST', `/api/sensors/${sensor._id}/readings`, {
      json: { temperature },
      headers: { 'x-device-key': deviceKey },
    });
    return sensor._id;
  }

  test('/ws says the readings of its facility, before and after a sensor is added or removed', async () => {
    const token = await app.staff();
    const theirs = await makeHot(there, 31);
    const clients = [await readings(staff, MAIN_FACILITY), await readings(token, elsewhere)] as const;
    const [atHome, atTheirs] = clients;
    const late = await makeHot(there, 32);
    const mine = await makeHot(app, 33);
    await vi.waitFor(() => expect(atHome.said.join()).toContain(mine), within);
    await there.expect(200, 'DELETE', `/api/sensors/${late}`, { token });
    await app.expect(200, 'DELETE', `/api/sensors/${mine}`, { token });
    await vi.waitFor(() => expect(atHome.said.join()).toContain(`"gone":true,"sensorId":"${mine}"`), within);
    await vi.waitFor(
      () => expect(atTheirs.said.join()).toContain(`"gone":true,"sensorId":"${late}"`),
      within,
    );
    const told = (await secrets()).filter((one) => atHome.said.join().includes(one));
    expect(told).toEqual([]);
    expect(atHome.said.join()).not.toContain(late);
    // Whoever reads there still has the other sensor: a change here does not take it away.
    expect(atTheirs.said.join()).toContain(theirs);
    expect(atTheirs.said.join()).not.toContain(`"gone":true,"sensorId":"${theirs}"`);
    expect(atTheirs.said.join()).not.toContain(mine);
    for (const { socket } of clients) socket.terminate();
  });

  test('the event stream says nothing of the other facility', async () => {
    const token = await app.staff();
    const client = await openEvents(port, staff);
    expect(client.status).toBe(200);
    const theirs = await world.child();
    await there.expect(200, 'POST', `/api/children/checkin-child/${theirs}`, { token });
    await there.expect(200, 'POST', `/api/children/checkout-child/${theirs}`, { token });
    const mine = await here.child();
    await app.expect(200, 'POST', `/api/children/checkin-child/${mine}`, { token });
    const about = (id: string) => client.events.filter(({ data }) => data.childId === id);
    await vi.waitFor(() => expect(about(mine).length).toBe(2), within);
    expect(about(theirs)).toEqual([]);
    const told = (await secrets()).filter((one) => JSON.stringify(client.events).includes(one));
    expect(told).toEqual([]);
    client.close();
  });
});
