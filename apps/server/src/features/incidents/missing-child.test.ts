/** A missing child: raised by staff for a child inside, loud until somebody says that it was found, and no parent hears of it. */
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { IncidentStep } from '../../incident-step.ts';
import { atFacility, makeFacility } from '../../testing/at-facility.ts';
import { makeDesk } from '../../testing/desks.ts';
import { type ExampleWorld, makeExampleWorld } from '../../testing/example-world.ts';
import { fakePhoto } from '../../testing/fake-vision.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { openEvents } from '../../testing/sse.ts';

const MINUTE = 60_000;
const within = { timeout: 60_000, interval: 20 };

let app: TestApp;
let world: ExampleWorld;
let staff: string;
let employee: Employee;
let family: Family;
let child: string;
let steps: IncidentStep[] = [];
let port: number;

beforeAll(async () => {
  app = await startTestApp({
    receiveStep: async (step) => {
      steps.push(step);
    },
  });
  staff = await app.staff();
  employee = await app.makeEmployee({ name: 'Hana Nabil' });
  family = await app.makeFamily();
  world = await makeExampleWorld({ app, staff, own: family, gone: await app.makeEmployee() });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = app.app.server.address() as AddressInfo);
});
beforeEach(async () => {
  staff = await app.staff();
  child = (await app.makeChild(family, 'Adam Aziz', fakePhoto({ face: `adam ${app.clock.now()}` })))._id;
  app.clock.advance(MINUTE);
  steps = [];
});
afterAll(() => app.close());

const move = (what: 'checkin' | 'checkout', at = app) =>
  at.expect(200, 'POST', `/api/children/${what}-child/${child}`, { token: staff });
const askReport = (token: string, id = child, at = app) =>
  at.ask('POST', `/api/children/${id}/missing`, { token });
const report = async (token = staff) =>
  (await app.expect(201, 'POST', `/api/children/${child}/missing`, { token })).incident;
const askFound = (id: string, token: string, json: object = {}) =>
  app.ask('POST', `/api/incidents/${id}/found`, { token, json });
const openOnes = async (token = staff, at = app) =>
  (await at.expect(200, 'GET', '/api/incidents?kind=missing_child', { token })).incidents;

test('it is raised once for the child, however many miss it, and ends with who found it and where', async () => {
  await move('checkin');
  const [first, second] = await Promise.all([report(), report(employee.token)]);
  expect(second._id).toBe(first._id);
  expect(await openOnes()).toMatchObject([
    {
      _id: first._id,
      severity: 'safety',
      area: null,
      subject: { kind: 'child', _id: child, name: 'Adam Aziz' },
      acknowledgedAt: null,
      timeline: [{ what: 'raised', by: { _id: expect.any(String), name: expect.any(String) } }],
    },
  ]);
  const ended = await askFound(first._id, employee.token, { note: ' In the garden, behind the shed ' });
  expect(ended).toMatchObject({ status: 200, body: { incident: { _id: first._id } } });
  const { clearedAt, timeline } = ended.body.incident;
  expect(clearedAt).toBe(new Date(app.clock.now()).toISOString());
  expect(timeline.at(-1)).toMatchObject({
    what: 'cleared',
    by: { _id: employee.id, name: 'Hana Nabil' },
    note: 'In the garden, behind the shed',
  });
  expect(await openOnes()).toEqual([]);
  // A second press says nothing new; the next time it is missed is another incident.
  app.clock.advance(MINUTE);
  expect((await askFound(first._id, staff, { note: 'At the door' })).body.incident).toEqual(
    ended.body.incident,
  );
  const again = await report();
  expect(again._id).not.toBe(first._id);
  expect((await askFound(again._id, staff)).status).toBe(200);

  const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${first._id}`, { token: staff });
  expect(entries.map(({ action, details }) => [action, details])).toEqual([
    ['incident.cleared', expect.objectContaining({ kind: 'missing_child', about: child })],
    ['incident.raised', expect.objectContaining({ kind: 'missing_child', about: child })],
  ]);
  expect(entries[0]?.actor).toMatchObject({ id: employee.id });
  expect(entries[1]?.actor).not.toBeNull();
  expect(JSON.stringify(entries)).not.toContain('shed');
});

test('all staff are told at once, again while nobody answers, and of the end; no parent is', async () => {
  const other = await app.makeFamily();
  await move('checkin');
  const { _id: id } = await report(employee.token);
  await app.app.incidents.sweep();
  const own = () => steps.filter(({ incidentId }) => incidentId === id);
  expect(own().map(({ step, phase, severity }) => [step, phase, severity])).toEqual([
    [0, 'raised', 'safety'],
  ]);
  const { admins } = await app.expect(200, 'GET', '/api/admin/get-all-admins', { token: staff });
  const told = (step: IncidentStep | undefined) => new Set(step?.audience.map(({ id: one }) => one));
  expect([...told(own()[0])]).toEqual(expect.arrayContaining(admins.map(({ _id }) => _id)));
  app.clock.advance(2 * MINUTE);
  await app.app.incidents.sweep();
  expect(own().map(({ step, phase }) => [step, phase])).toEqual([
    [0, 'raised'],
    [1, 'escalated'],
  ]);
  expect(told(own()[1])).toEqual(told(own()[0]));
  expect((await askFound(id, staff)).status).toBe(200);
  await app.app.incidents.sweep();
  expect(own().at(-1)).toMatchObject({ phase: 'cleared' });
  const kinds = own().flatMap(({ audience }) => audience.map(({ kind }) => kind));
  expect(new Set(kinds)).toEqual(new Set(['admin']));
  for (const token of [family.token, other.token]) {
    const all = await app.expect(200, 'GET', '/api/incidents?state=all', { token });
    expect(JSON.stringify(all)).not.toContain('missing_child');
  }
});

test('the family’s stream hears nothing of it, and the tablet that anybody may read says no name', async () => {
  await move('checkin');
  const desk = await makeDesk(app);
  const [atDesk, atHome] = [await openEvents(port, employee.token), await openEvents(port, family.token)];
  const { _id: id } = await report();
  const read = await app.ask('GET', '/api/desk', { token: desk.token });
  const { dangers } = read.body as unknown as { dangers: object[] };
  expect(dangers).toEqual([{ kind: 'other', area: null, since: expect.any(String) }]);
  expect(JSON.stringify(read.body)).not.toContain('Adam');
  await app.expect(200, 'POST', `/api/incidents/${id}/acknowledge`, { token: staff });
  expect((await askFound(id, staff)).status).toBe(200);
  await move('checkout');
  const types = (client: typeof atDesk) => client.events.map(({ type }) => type);
  for (const client of [atDesk, atHome])
    await expect.poll(() => types(client), within).toContain('child.checked_out');
  expect(types(atDesk)).toEqual(
    expect.arrayContaining(['alert.raised', 'alert.acknowledged', 'alert.cleared']),
  );
  expect(types(atHome).filter((type) => type.startsWith('alert.'))).toEqual([]);
  for (const client of [atDesk, atHome]) client.close();
});

test('only staff who check children in raise and end it, and only for a child who is inside here', async () => {
  expect(await askReport(staff)).toMatchObject({ status: 409, body: { code: 'not_inside' } });
  expect((await askReport(staff, 'nobody')).status).toBe(404);
  await move('checkin');
  const inspector = await world.signInWith('inspector');
  const { _id: id } = await report(await world.signInWith('teacher'));
  const { evacuation } = await app.expect(201, 'POST', '/api/evacuations', { token: staff });
  for (const [token, status] of [
    [inspector, 403],
    [family.token, 403],
    ['nobody', 401],
  ] as const) {
    expect((await askReport(token)).status, String(status)).toBe(status);
    expect((await askFound(id, token)).status, String(status)).toBe(status);
  }
  for (const wrong of [evacuation._id, 'nobody']) expect((await askFound(wrong, staff)).status).toBe(404);
  expect(await openOnes(inspector)).toMatchObject([{ _id: id }]);
  await app.expect(200, 'POST', `/api/evacuations/${evacuation._id}/end`, { token: staff });
  expect((await askFound(id, staff)).status).toBe(200);
});

test('another facility neither raises, sees nor ends it; a child of both is missed where it is inside', async () => {
  const second = await makeFacility(app, 'Second');
  const there = atFacility(app, second);
  await move('checkin');
  expect((await askReport(staff, child, there)).status).toBe(404);
  const json = { facilityId: second };
  await app.expect(200, 'POST', `/api/children/${child}/facilities`, { token: staff, json });
  expect(await askReport(staff, child, there)).toMatchObject({ status: 409, body: { code: 'not_inside' } });
  const { _id: id } = await report();
  expect(await openOnes(staff, there)).toEqual([]);
  const found = await there.ask('POST', `/api/incidents/${id}/found`, { token: staff, json: {} });
  expect(found.status).toBe(404);
  expect(await openOnes()).toMatchObject([{ _id: id }]);
  await app.expect(200, 'POST', `/api/incidents/${id}/found`, { token: staff });
});

test('it lasts: not with the others, not with time, not with a checkout; the roll call is as before', async () => {
  await move('checkin');
  const { _id: id } = await report();
  const { rollCall } = await app.expect(200, 'GET', '/api/roll-call', { token: staff });
  expect(rollCall.children.find(({ childId }) => childId === child)).toMatchObject({
    name: 'Adam Aziz',
    isInside: true,
    tick: null,
  });
  const many = { ids: [id] };
  expect(
    await app.expect(200, 'POST', '/api/incidents/acknowledge', { token: staff, json: many }),
  ).toMatchObject({ incidents: [], left: 1 });
  await app.expect(200, 'POST', `/api/incidents/${id}/acknowledge`, { token: staff });
  app.clock.advance(25 * 60 * MINUTE);
  staff = await app.staff();
  await app.app.incidents.sweep();
  await move('checkout');
  await app.app.incidents.sweep();
  expect(await openOnes()).toMatchObject([{ _id: id, clearedAt: null, acknowledgedAt: expect.any(String) }]);
  // Who misses it now is told of the open one.
  expect((await report())._id).toBe(id);
  expect((await askFound(id, staff)).status).toBe(200);
  expect(await openOnes()).toEqual([]);
});
