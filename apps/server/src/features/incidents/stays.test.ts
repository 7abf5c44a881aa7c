/** Stays that end: ten minutes before, at the end, and up the ladder until the child is checked out, with restarts. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
    .filter(({ subjects }) => subjects.some(({ _id }) => _id === child))
    .reverse();
const told = () => steps.map(({ kind, step, phase }) => `${kind} ${step} ${phase}`);
const reached = (name: string) => new Set(steps[told().indexOf(name)]?.audience.map(({ id }) => id));

const open = async () =>
  (await app.expect(200, 'GET', '/api/incidents?state=open', { token: staff })).incidents;

test('due, up, all staff, the administrators, and over at the checkout', async () => {
  await wait(20 - 1 / MINUTE);
  expect(await mine('all', family.token)).toEqual([]);
  await wait(1 / MINUTE);
  await wait(5);
  expect((await mine('all', family.token)).map(({ kind }) => kind)).toEqual(['stay_due']);
  // It is no incident for staff.
  expect(await mine()).toEqual([]);
  expect(told()).toEqual(['stay_due 0 raised']);
  expect(reached('stay_due 0 raised')).toEqual(new Set([family.id]));

  await wait(5);
  expect((await mine('open')).map(({ kind }) => kind)).toEqual(['time_up']);
  expect((await mine('open', family.token)).map(({ kind }) => kind)).toEqual(['time_up']);
  // All have the same time.
  expect(told().toSorted()).toEqual([
    'stay_due 0 cleared',
    'stay_due 0 raised',
    'time_up 0 raised',
    'time_up 0 raised',
  ]);
  const raised = steps.filter(({ kind }) => kind === 'time_up').map(({ audience }) => audience);
  expect(raised.map((people) => new Set(people.map(({ id }) => id)))).toEqual(
    expect.arrayContaining([new Set([family.id]), new Set([administrator, employee.id])]),
  );

  await wait(5);
  expect(told().slice(4)).toEqual(['time_up 1 escalated']);
  expect(reached('time_up 1 escalated')).toEqual(new Set([administrator, employee.id, away.id]));
  // Another process continues.
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
  expect(told().slice(5)).toEqual(['time_up 2 escalated']);
  expect(reached('time_up 2 escalated')).toEqual(new Set([administrator]));

  await checkOut();
  await wait(0);
  await wait(60);
  expect(told().slice(6).toSorted()).toEqual(['time_up 0 cleared', 'time_up 2 cleared']);
  expect(reached('time_up 0 cleared')).toEqual(new Set([family.id]));
  expect(reached('time_up 2 cleared')).toEqual(new Set([administrator, employee.id, away.id]));
  expect(await mine('open')).toEqual([]);
  expect((await mine('all', family.token)).map(({ kind }) => kind)).toEqual(['stay_due', 'time_up']);
  expect((await mine())[0]?.timeline.map(({ what, step }) => [what, step])).toEqual([
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
  expect(told()).toEqual(['time_up 0 raised', 'time_up 0 raised']);
  await checkOut();
  await wait(0);
});

test('a server that was away for an hour says once what is the case, and each step that is due', async () => {
  await wait(90);
  await wait(0);
  expect(told()).toEqual(['time_up 0 raised', 'time_up 0 raised']);
  await wait(16);
  expect(told().slice(2)).toEqual(['time_up 1 escalated', 'time_up 2 escalated']);
  await checkOut();
  await wait(0);
});

describe('many children', () => {
  const ids = (incident: { subjects: { _id: string }[] } | undefined) =>
    incident?.subjects.map(({ _id }) => _id).toSorted();
  const audited = async (id: unknown) =>
    (await app.expect(200, 'GET', `/api/audit?subject=${id}`, { token: staff })).entries.map(
      ({ action }) => action,
    );
  const forStaff = () => steps.filter(({ audience }) => audience.some(({ kind }) => kind === 'admin'));
  async function checkedIn(): Promise<string> {
    const other = (await app.makeChild(await app.makeFamily()))._id;
    await app.expect(200, 'POST', `/api/children/checkin-child/${other}`, { token: staff });
    return other;
  }
  const leave = (id: string) =>
    app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });

  test('are one incident: one notification, one row in the audit log, and each parent hears of the own child', async () => {
    const others = [await checkedIn(), await checkedIn(), await checkedIn()];
    await wait(31);
    const [incident, ...more] = await open();
    expect(more).toEqual([]);
    expect(ids(incident)).toEqual([child, ...others].toSorted());
    expect(forStaff().map(({ body }) => body.values)).toEqual([expect.objectContaining({ count: 4 })]);
    expect(await audited(incident?._id)).toEqual(['incident.raised']);
    const own = steps.filter(({ audience }) => audience.some(({ kind }) => kind === 'parent'));
    expect(own).toHaveLength(4);
    for (const { body, audience } of own) {
      expect(body.values).not.toHaveProperty('count');
      expect(audience).toHaveLength(1);
    }
    expect((await mine('open', family.token))[0]?.subjects.map(({ _id }) => _id)).toEqual([child]);

    await leave(String(others[0]));
    await wait(0);
    const [smaller] = await open();
    expect(smaller?._id).toBe(incident?._id);
    expect(smaller?.subjects.filter(({ until }) => until === null)).toHaveLength(3);
    for (const one of [child, ...others.slice(1)]) await leave(one);
    await wait(0);
    expect(await open()).toEqual([]);
    expect(await audited(incident?._id)).toEqual(['incident.cleared', 'incident.raised']);
  });

  test('who comes while a step is still to come joins it; who comes later, or after somebody took it on, opens another', async () => {
    await wait(10);
    const second = await checkedIn();
    await wait(20);
    const [first] = await open();
    expect(ids(first)).toEqual([child]);
    await wait(10);
    expect(ids((await open())[0])).toEqual([child, second].toSorted());
    // The first step has reached the desk already; the second one counts the new child.
    expect(forStaff().map(({ step, body }) => [step, body.values.count])).toEqual([
      [0, undefined],
      [1, 2],
    ]);
    await wait(5);
    expect(forStaff().at(-1)).toMatchObject({ step: 2, body: { values: { count: 2 } } });
    const third = await checkedIn();
    await wait(30);
    const apart = await open();
    expect(apart.map(ids)).toEqual([[third], [child, second].toSorted()]);
    const json = { ids: apart.map(({ _id }) => _id) };
    const token = employee.token;
    await app.expect(200, 'POST', '/api/incidents/acknowledge', { token, json });
    const fourth = await checkedIn();
    await wait(30);
    const later = await open();
    expect(later.filter(({ acknowledgedAt }) => acknowledgedAt === null).map(ids)).toEqual([[fourth]]);
    expect(later).toHaveLength(3);
    for (const one of [child, second, third, fourth]) await leave(one);
    await wait(0);
    expect(await open()).toEqual([]);
  });
});

test('who joins between the look at the screen and the press is not acknowledged with the others', async () => {
  const join = async () => {
    const other = (await app.makeChild(await app.makeFamily()))._id;
    await app.expect(200, 'POST', `/api/children/checkin-child/${other}`, { token: staff });
    return other;
  };
  const staffs = async () =>
    (await app.expect(200, 'GET', '/api/incidents?kind=time_up', { token: staff })).incidents;
  const acknowledge = (shown: string[], ids: string[]) =>
    app.expect(200, 'POST', '/api/incidents/acknowledge', { token: staff, json: { ids, shown } });
  await wait(1);
  const late = await join();
  await wait(29);
  const [seen] = await staffs();
  const ids = [String(seen?._id)];
  await wait(1);
  expect((await staffs())[0]?.subjects).toHaveLength(2);
  expect(await acknowledge(['somebody else'], ids)).toEqual({ incidents: [], left: 1 });
  const { incidents, left } = await acknowledge([child], ids);
  expect(left).toBe(0);
  expect(incidents.map(({ subjects }) => subjects.map(({ _id }) => _id))).toEqual([[child]]);
  await wait(0);
  expect(
    (await staffs()).map(({ subjects, acknowledgedAt }) => [
      subjects.map(({ _id }) => _id),
      acknowledgedAt === null,
    ]),
  ).toEqual([
    [[late], true],
    [[child], false],
  ]);
  // The desk is notified of it.
  const told = steps.filter(
    ({ phase, step, kind }) => kind === 'time_up' && phase === 'raised' && step === 0,
  );
  expect(told.filter(({ audience }) => audience.some(({ kind }) => kind === 'admin'))).toHaveLength(2);
  await checkOut();
  await app.expect(200, 'POST', `/api/children/checkout-child/${late}`, { token: staff });
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
  // The row of the parent is none of the staff's.
  expect((await app.ask('POST', `/api/incidents/${seen?._id}/acknowledge`, { token: staff })).status).toBe(
    404,
  );
  const json = { ids: [String(seen?._id)] };
  expect(await app.expect(200, 'POST', '/api/incidents/acknowledge', { token: staff, json })).toEqual({
    incidents: [],
    left: 1,
  });
  expect((await mine('open', family.token))[0]?.acknowledgedAt).toBeNull();
  await checkOut();
  await wait(0);
  expect((await mine('all', family.token)).map(({ clearedAt }) => clearedAt !== null)).toEqual([true]);
});
