/** An evacuation: one button, one roll call of all devices, and a record of who ticked whom. */
import type { AddressInfo } from 'node:net';
import type { RollCallChild } from '@haris/contract/http/incidents';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import type { IncidentStep } from '../../incident-step.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { openEvents } from '../../testing/sse.ts';

let app: TestApp;
let staff: string;
let employee: Employee;
let family: Family;
let other: Family;
let children: string[];
let steps: IncidentStep[] = [];
const within = { timeout: 60_000, interval: 10 };
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
    begun.children.map(({ name, isInside, tick: one, guardian }) => [name, isInside, one, guardian.name]),
  ).toEqual([
    ['Adam', true, null, family.name],
    ['Basma', true, null, family.name],
  ]);
  expect(begun.children[0]?.guardian.phone).toMatch(/^010/);
  expect(begun.children[0]?.photo).toMatch(/^\/api\/photos\//);
  // Pressed twice, on two devices: one evacuation.
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
  // The phone was without a connection: what it ticked earlier does not undo the tablet's.
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

  // Who comes in meanwhile belongs to it; who is checked out stays in it.
  await move('checkin', camal);
  await move('checkout', adam);
  expect((await current()).children.map(({ name, isInside }) => [name, isInside])).toEqual([
    ['Adam', false],
    ['Basma', true],
    ['Camal', true],
  ]);

  // A restart forgets nothing.
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
  // A tick that comes late is part of the record.
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
  const seen = (await app.expect(200, 'GET', '/api/incidents', { token: family.token })).incidents;
  expect(seen.map(({ kind }) => kind)).toEqual(['evacuation']);
  expect(JSON.stringify(seen)).not.toContain(employee.name);
  await end(begun._id);
  await move('checkout', adam);
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
  ])
    expect((await send(begun._id, json)).status).toBe(400);
});
