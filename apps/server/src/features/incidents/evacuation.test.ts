/** An evacuation: one button, one roll call across all devices, and a record of who ticked which child. */
import type { AddressInfo } from 'node:net';
import type { RollCallChild } from '@haris/contract/http/incidents';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import type { IncidentStep } from '../../incident-step.ts';
import { fakePhoto } from '../../testing/fake-vision.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { changeSessions } from '../../testing/sessions.ts';
import { openEvents } from '../../testing/sse.ts';

let app: TestApp;
let staff: string;
let employee: Employee;
let family: Family;
let other: Family;
let children: string[];
let steps: IncidentStep[] = [];
const within = { timeout: 240_000, interval: 10 };
const MINUTE = 60_000;

beforeAll(async () => {
  app = await startTestApp({
    receiveStep: async (step) => {
      steps.push(step);
    },
  });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  staff = await app.staff();
  employee = await app.makeEmployee();
  [family, other] = [await app.makeFamily(), await app.makeFamily()];
  children = [];
  for (const name of ['Adam', 'Basma', 'Camal']) children.push((await app.makeChild(family, name))._id);
});
beforeEach(() => {
  steps = [];
});
afterAll(() => app.close());

const move = (what: 'checkin' | 'checkout', id: string) =>
  app.expect(200, 'POST', `/api/children/${what}-child/${id}`, { token: staff });
const at = (ms: number) => new Date(ms).toISOString();
const start = async (token = staff) =>
  (await app.expect(201, 'POST', '/api/evacuations', { token })).evacuation;
const current = async () =>
  (await app.expect(200, 'GET', '/api/evacuations/current', { token: staff })).evacuation;
const end = async (id: string) =>
  (await app.expect(200, 'POST', `/api/evacuations/${id}/end`, { token: staff, json: { note: 'All out' } }))
    .evacuation;
const tick = async (id: string, token: string, device: string, ticks: object[]) =>
  (await app.expect(200, 'POST', `/api/evacuations/${id}/ticks`, { token, json: { device, ticks } }))
    .evacuation;
const states = (roll: readonly RollCallChild[]) =>
  Object.fromEntries(
    roll.map(({ name, tick: one }) => [name, one && `${one.state} ${one.by.name} ${one.device}`]),
  );

test('two devices merge their ticks, whatever order they come in, and everything is kept', async () => {
  const [adam, basma, camal] = children as [string, string, string];
  await move('checkin', adam);
  await move('checkin', basma);
  app.clock.advance(MINUTE);
  const port = (app.app.server.address() as AddressInfo).port;
  const [inside, outside] = [await openEvents(port, family.token), await openEvents(port, other.token)];
  const begun = await start();
  expect(begun).toMatchObject({ startedBy: { name: 'Administrator' }, endedAt: null, ticks: [] });
  expect(
    begun.children.map(({ name, isInside, tick: one, guardian }) => [name, isInside, one, guardian?.name]),
  ).toEqual([
    ['Adam', true, null, family.name],
    ['Basma', true, null, family.name],
  ]);
  expect(begun.children[0]?.guardian?.phone).toMatch(/^010/);
  expect(begun.children[0]?.photo).toMatch(/^\/api\/photos\//);
  // Two devices press the button: one evacuation.
  expect((await start(employee.token))._id).toBe(begun._id);
  await expect.poll(() => inside.events.map(({ type }) => type), within).toContain('alert.raised');

  const t0 = app.clock.now();
  app.clock.advance(3 * MINUTE);
  const phone = [
    { childId: adam, state: 'present', at: at(t0 + 30_000) },
    { childId: basma, state: 'missing', at: at(t0 + 40_000) },
    { childId: 'nobody', state: 'present', at: at(t0) },
  ];
  const tablet = [{ childId: basma, state: 'present', at: at(t0 + 60_000) }];
  await tick(begun._id, employee.token, 'tablet', tablet);
  // The phone was offline: its earlier ticks do not override the tablet's.
  const merged = await tick(begun._id, staff, 'phone', phone);
  expect(states(merged.children)).toEqual({
    Adam: 'present Administrator phone',
    Basma: `present ${employee.name} tablet`,
  });
  expect(merged.ticks.map(({ childId, state, device, by }) => [childId, state, device, by.name])).toEqual([
    [adam, 'present', 'phone', 'Administrator'],
    [basma, 'missing', 'phone', 'Administrator'],
    [basma, 'present', 'tablet', employee.name],
  ]);
  expect(await tick(begun._id, staff, 'phone', phone)).toEqual(merged);
  const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${begun._id}`, { token: staff });
  expect(entries.filter(({ action }) => action === 'evacuation.ticked')).toHaveLength(2);

  // Children who check in meanwhile are added; children who check out remain.
  await move('checkin', camal);
  await move('checkout', adam);
  expect((await current()).children.map(({ name, isInside }) => [name, isInside])).toEqual([
    ['Adam', false],
    ['Basma', true],
    ['Camal', true],
  ]);

  // The state survives a restart.
  const next = await buildApp(app.context, { web: false, sweepsIncidents: false });
  try {
    const answer = await next.inject({
      url: '/api/evacuations/current',
      headers: { authorization: `Bearer ${staff}` },
    });
    expect(answer.json().evacuation).toEqual(await current());
  } finally {
    await next.close();
  }

  const over = await end(begun._id);
  expect(over.endedAt).toBe(at(app.clock.now()));
  expect(await end(begun._id)).toEqual(over);
  expect(await current()).toBeNull();
  // A late tick is still recorded.
  const late = await tick(begun._id, employee.token, 'tablet', [
    { childId: camal, state: 'present', at: at(t0 + 120_000) },
  ]);
  expect(late.ticks).toHaveLength(4);
  await expect.poll(() => inside.events.map(({ type }) => type), within).toContain('alert.cleared');
  expect(inside.events.map(({ type }) => type)).not.toContain('evacuation.ticked');
  expect(outside.events.map(({ type }) => type).filter((type) => type.startsWith('alert'))).toEqual([]);
  for (const client of [inside, outside]) client.close();
  const [incident] = (await app.expect(200, 'GET', '/api/incidents?state=all', { token: staff })).incidents;
  expect(incident?.timeline.map(({ what, by, note }) => [what, by?.name, note])).toEqual([
    ['raised', 'Administrator', null],
    ['cleared', 'Administrator', 'All out'],
  ]);
  for (const id of [basma, camal]) await move('checkout', id);
});

test('a device whose clock is ahead does not outlast what others tick later', async () => {
  const [adam] = children as [string];
  await move('checkin', adam);
  const begun = await start();
  const now = app.clock.now();
  await tick(begun._id, staff, 'ahead', [{ childId: adam, state: 'present', at: at(now + 60 * MINUTE) }]);
  app.clock.advance(MINUTE);
  const { children: roll } = await tick(begun._id, employee.token, 'right', [
    { childId: adam, state: 'missing', at: at(app.clock.now()) },
  ]);
  expect(roll[0]?.tick).toMatchObject({ state: 'missing', device: 'right' });
  await end(begun._id);
  await move('checkout', adam);
});

test('a device whose clock is behind counts from the start, and of two ticks of one moment “missing” counts', async () => {
  const [adam, basma] = children as [string, string];
  await move('checkin', adam);
  await move('checkin', basma);
  app.clock.advance(MINUTE);
  const begun = await start();
  const t0 = app.clock.now();
  app.clock.advance(MINUTE);
  const moment = at(t0 + 1_000);
  await tick(begun._id, staff, 'a', [{ childId: basma, state: 'missing', at: moment }]);
  const { children: roll } = await tick(begun._id, employee.token, 'b', [
    { childId: adam, state: 'present', at: at(t0 - 60 * MINUTE) },
    { childId: basma, state: 'present', at: moment },
  ]);
  expect(roll.map(({ name, tick: one }) => [name, one?.state, one?.at])).toEqual([
    ['Adam', 'present', begun.startedAt],
    ['Basma', 'missing', moment],
  ]);
  await end(begun._id);
  for (const id of [adam, basma]) await move('checkout', id);
  // Who leaves in this moment has left.
  const { rollCall } = await app.expect(200, 'GET', '/api/roll-call', { token: staff });
  expect(rollCall.children).toEqual([]);
});

test('a child whose photo and name staff never confirmed is marked, until they confirm it', async () => {
  const [adam] = children as [string];
  const { child } = await app.expect(201, 'POST', `/api/children/create-child/${family.id}`, {
    token: family.token,
    form: { name: 'Dalia', photo: fakePhoto({ face: 'roll call Dalia' }) },
  });
  await move('checkin', adam);
  await move('checkin', child._id);
  const marks = (roll: readonly RollCallChild[]) =>
    Object.fromEntries(roll.map(({ name, unconfirmed }) => [name, unconfirmed]));
  const now = async () =>
    (await app.expect(200, 'GET', '/api/roll-call', { token: staff })).rollCall.children;
  const begun = await start();
  expect(marks(begun.children)).toEqual({ Adam: undefined, Dalia: true });
  expect(marks(await now())).toEqual({ Adam: undefined, Dalia: true });
  for (const token of [undefined, family.token])
    for (const url of ['/api/roll-call', '/api/evacuations/current'])
      expect((await app.ask('GET', url, { token })).status).toBe(token === undefined ? 401 : 403);
  await app.expect(200, 'POST', `/api/children/${child._id}/confirm`, {
    token: staff,
    json: { accept: true },
  });
  expect(marks((await current())?.children ?? [])).toEqual({ Adam: undefined, Dalia: undefined });
  expect(marks(await now())).toEqual({ Adam: undefined, Dalia: undefined });
  await end(begun._id);
  for (const id of [adam, child._id]) await move('checkout', id);
});

test('who comes after the end, and staff whose session has expired, are not on the list', async () => {
  const expired = await app.makeEmployee();
  await changeSessions(app.context, { expires_at: app.clock.now() - 1 }, expired.token);
  const begun = await start();
  expect(begun.people.map(({ personId }) => personId)).not.toContain(expired.id);
  app.clock.advance(MINUTE);
  await end(begun._id);
  app.clock.advance(MINUTE);
  const json = { name: 'Came afterwards' };
  const { _id: personId } = (await app.expect(201, 'POST', '/api/visitors', { token: staff, json })).visitor;
  const late = await tick(begun._id, staff, 'tablet', [
    { personId, state: 'present', at: at(app.clock.now()) },
  ]);
  expect(late.ticks).toEqual([]);
  expect(late.people.map(({ name }) => name)).not.toContain('Came afterwards');
  await app.expect(200, 'POST', `/api/visitors/${personId}/sign-out`, { token: staff });
});

test('all staff and the parents of who is inside are told, the administrators once more', async () => {
  const [adam] = children as [string];
  await move('checkin', adam);
  const begun = await start(employee.token);
  await app.app.incidents.sweep();
  const mine = () => steps.filter(({ incidentId }) => incidentId === begun._id);
  const audience = mine()[0]?.audience ?? [];
  expect(audience).toContainEqual({ kind: 'parent', id: family.id });
  expect(audience).toContainEqual({ kind: 'admin', id: employee.id });
  expect(audience).not.toContainEqual({ kind: 'parent', id: other.id });
  app.clock.advance(2 * MINUTE);
  await app.app.incidents.sweep();
  expect(mine().map(({ step, phase, severity }) => [step, phase, severity])).toEqual([
    [0, 'raised', 'safety'],
    [1, 'escalated', 'safety'],
  ]);
  // The last step is for administrators, not for employees.
  const { admin } = await app.expect(200, 'GET', '/api/admin/info', { token: staff });
  expect(mine()[1]?.audience).toEqual([{ kind: 'admin', id: admin._id }]);
  const seen = (await app.expect(200, 'GET', '/api/incidents', { token: family.token })).incidents;
  expect(seen.map(({ kind }) => kind)).toEqual(['evacuation']);
  expect(JSON.stringify(seen)).not.toContain(employee.name);
  await end(begun._id);
  await move('checkout', adam);
});

test('staff on duty and visitors are on the roll call, and adults may be marked as not in the building', async () => {
  const colleague = await app.makeEmployee();
  const signIn = async (json: object) =>
    (await app.expect(201, 'POST', '/api/visitors', { token: staff, json })).visitor;
  const plumber = await signIn({ name: 'Hany the plumber', phone: '01001112223', reason: 'Boiler' });
  const cook = await signIn({ name: 'Umm Ali', kind: 'staff' });
  const gone = await signIn({ name: 'Left before' });
  await app.expect(200, 'POST', `/api/visitors/${gone._id}/sign-out`, { token: staff });
  const { rollCall } = await app.expect(200, 'GET', '/api/roll-call', { token: staff });
  const namesOf = (people: readonly { name: string }[]) => people.map(({ name }) => name);
  expect(namesOf(rollCall.people)).toEqual(expect.arrayContaining([colleague.name, plumber.name, cook.name]));
  expect(namesOf(rollCall.people)).not.toContain('Left before');

  app.clock.advance(1000);
  const begun = await start();
  const personOf = (name: string, { people } = begun) => people.find((one) => one.name === name);
  expect(personOf(plumber.name)).toMatchObject({
    personId: plumber._id,
    kind: 'visitor',
    phone: '01001112223',
    reason: 'Boiler',
    tick: null,
  });
  expect(personOf(cook.name)).toMatchObject({ kind: 'staff', isInside: true });
  // The list does not shrink when a session ends.
  await app.expect(204, 'POST', '/api/logout', { token: colleague.token });
  const now = app.clock.now();
  const ticked = await app.expect(200, 'POST', `/api/evacuations/${begun._id}/ticks`, {
    token: staff,
    json: {
      device: 'phone',
      ticks: [
        { personId: plumber._id, state: 'present', at: at(now) },
        { personId: colleague.id, state: 'away', at: at(now) },
        // Not a child of this roll call, although the id is on it.
        { childId: cook._id, state: 'present', at: at(now) },
        { personId: gone._id, state: 'present', at: at(now) },
      ],
    },
  });
  expect(ticked.evacuation.ticks.map(({ personId, childId, state }) => [personId, childId, state])).toEqual(
    expect.arrayContaining([
      [plumber._id, undefined, 'present'],
      [colleague.id, undefined, 'away'],
    ]),
  );
  expect(ticked.evacuation.ticks).toHaveLength(2);
  expect(personOf(colleague.name, ticked.evacuation)?.tick).toMatchObject({ state: 'away', device: 'phone' });
  expect(personOf(cook.name, ticked.evacuation)?.tick).toBeNull();

  // Somebody found in the garden is added; somebody who signs out stays on the list.
  await signIn({ name: 'Found in the garden' });
  await app.expect(200, 'POST', `/api/visitors/${plumber._id}/sign-out`, { token: staff });
  const later = await current();
  expect(later.people.map(({ name }) => name)).toContain('Found in the garden');
  expect(personOf(plumber.name, later)).toMatchObject({ isInside: false, tick: { state: 'present' } });

  // A staff member whose account is deleted leaves the list with it.
  await app.expect(200, 'DELETE', `/api/admin/delete-admin/${colleague.id}`, { token: staff });
  expect(personOf(colleague.name, await current())).toBeUndefined();
  await end(begun._id);
  for (const id of [cook._id])
    await app.expect(200, 'POST', `/api/visitors/${id}/sign-out`, { token: staff });
});

test('whoever ticks joins the roll call; staff without a recent session are not on it', async () => {
  const [adam] = children as [string];
  await move('checkin', adam);
  const late = await app.makeEmployee();
  app.clock.advance(9 * 60 * MINUTE);
  const begun = await start(await app.staff());
  expect(begun.people.map(({ personId }) => personId)).not.toContain(late.id);
  await tick(begun._id, late.token, 'phone', [{ childId: adam, state: 'present', at: at(app.clock.now()) }]);
  const now = await app.expect(200, 'GET', '/api/evacuations/current', { token: late.token });
  expect(now.evacuation.people.map(({ personId }) => personId)).toContain(late.id);
  await app.expect(200, 'POST', `/api/evacuations/${begun._id}/end`, { token: late.token, json: {} });
  await app.expect(200, 'POST', `/api/children/checkout-child/${adam}`, { token: late.token });
  staff = await app.staff();
});

test('what is no evacuation is 404; a tick that cannot be read is 400', async () => {
  const begun = await start();
  await end(begun._id);
  const send = (id: string, json: object) =>
    app.ask('POST', `/api/evacuations/${id}/ticks`, { token: staff, json });
  expect((await send('nothing', { device: 'd', ticks: [] })).status).toBe(404);
  for (const json of [
    {},
    { device: '', ticks: [] },
    { device: 'd', ticks: [{ childId: 'c', state: 'gone', at: at(0) }] },
    { device: 'd', ticks: [{ childId: 'c', state: 'present', at: 'now' }] },
    { device: 'd', ticks: [{ childId: 'c', state: 'away', at: at(0) }] },
    { device: 'd', ticks: [{ state: 'present', at: at(0) }] },
    { device: 'd', ticks: [{ childId: 'c', personId: 'p', state: 'present', at: at(0) }] },
  ])
    expect((await send(begun._id, json)).status).toBe(400);
});
