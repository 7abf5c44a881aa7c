/** Stays that end: ten minutes before, at the end, and up the ladder until the child is checked out; with restarts between. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import { endAllLeases } from '../../db/leases.ts';
import type { IncidentStep } from '../../incident-step.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let staff: string;
let administrator: string;
let employee: Employee;
let away: Employee;
let family: Family;
let child: string;
let steps: IncidentStep[] = [];
const MINUTE = 60_000;

beforeAll(async () => {
  app = await startTestApp({
    receiveStep: async (step) => {
      steps.push(step);
    },
  });
  staff = await app.staff();
  administrator = (await app.expect(200, 'GET', '/api/admin/info', { token: staff })).admin._id;
  employee = await app.makeEmployee();
  away = await app.makeEmployee();
  await app.expect(204, 'POST', '/api/logout', { token: away.token });
  family = await app.makeFamily();
});
beforeEach(async () => {
  steps = [];
  child = (await app.makeChild(family))._id;
  await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: staff });
});
afterAll(() => app.close());

const checkOut = () => app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: staff });
async function wait(minutes: number): Promise<void> {
  app.clock.advance(minutes * MINUTE);
  await app.app.incidents.sweep();
}
const mine = async (state = 'all', token = staff) =>
  (await app.expect(200, 'GET', `/api/incidents?state=${state}&limit=200`, { token })).incidents
    .filter(({ subject }) => subject?._id === child)
    .reverse();
const told = () => steps.map(({ kind, step, phase }) => `${kind} ${step} ${phase}`);
const reached = (name: string) => new Set(steps[told().indexOf(name)]?.audience.map(({ id }) => id));

test('due, up, all staff, the administrators, and over at the checkout: one incident each', async () => {
  await wait(20 - 1 / MINUTE);
  expect(await mine()).toEqual([]);
  await wait(1 / MINUTE);
  await wait(5);
  expect((await mine()).map(({ kind }) => kind)).toEqual(['stay_due']);
  expect(told()).toEqual(['stay_due 0 raised']);
  expect(reached('stay_due 0 raised')).toEqual(new Set([family.id, administrator, employee.id]));

  await wait(5);
  expect((await mine('open')).map(({ kind }) => kind)).toEqual(['time_up']);
  // Both are of one moment.
  expect(told().toSorted()).toEqual(['stay_due 0 cleared', 'stay_due 0 raised', 'time_up 0 raised']);
  expect(reached('time_up 0 raised')).toEqual(new Set([family.id, administrator, employee.id]));

  await wait(5);
  expect(told().slice(3)).toEqual(['time_up 1 escalated']);
  expect(reached('time_up 1 escalated')).toEqual(new Set([administrator, employee.id, away.id]));
  // Another process goes on where this one was.
  const next = await buildApp(app.context, {
    web: false,
    sweepsIncidents: false,
    receiveStep: async (step) => {
      steps.push(step);
    },
  });
  try {
    app.clock.advance(10 * MINUTE);
    await endAllLeases(app.context.db);
    await next.incidents.sweep();
    await next.incidents.sweep();
  } finally {
    await next.close();
  }
  await wait(0);
  expect(told().slice(4)).toEqual(['time_up 2 escalated']);
  expect(reached('time_up 2 escalated')).toEqual(new Set([administrator]));

  await checkOut();
  await wait(0);
  await wait(60);
  expect(told().slice(5)).toEqual(['time_up 2 cleared']);
  expect(reached('time_up 2 cleared')).toEqual(new Set([family.id, administrator, employee.id, away.id]));
  expect(await mine('open')).toEqual([]);
  expect((await mine()).map(({ kind }) => kind)).toEqual(['stay_due', 'time_up']);
  expect((await mine())[1]?.timeline.map(({ what, step }) => [what, step])).toEqual([
    ['raised', null],
    ['escalated', 1],
    ['escalated', 2],
    ['cleared', null],
  ]);
});

test('taken on by a person, it climbs no further', async () => {
  await wait(30);
  const [incident] = await mine('open');
  expect(incident?.kind).toBe('time_up');
  await app.expect(200, 'POST', `/api/incidents/${incident?._id}/acknowledge`, { token: employee.token });
  await wait(60);
  expect(told()).toEqual(['time_up 0 raised']);
  await checkOut();
  await wait(0);
});

test('a server that was away for an hour says once what is the case, and each step that is due', async () => {
  await wait(90);
  await wait(0);
  expect(told()).toEqual(['time_up 0 raised']);
  await wait(16);
  expect(told()).toEqual(['time_up 0 raised', 'time_up 1 escalated', 'time_up 2 escalated']);
  await checkOut();
  await wait(0);
});

test('the parent sees it, another parent does not, and neither takes it on', async () => {
  const other = await app.makeFamily();
  await wait(30);
  const [seen] = await mine('open', family.token);
  expect(seen).toMatchObject({ kind: 'time_up', subject: { kind: 'child', name: 'A Child' } });
  expect(await mine('all', other.token)).toEqual([]);
  for (const token of [family.token, other.token])
    expect((await app.ask('POST', `/api/incidents/${seen?._id}/acknowledge`, { token })).status).toBe(403);
  await checkOut();
  await wait(0);
  expect((await mine('all', family.token)).map(({ clearedAt }) => clearedAt !== null)).toEqual([true]);
});
