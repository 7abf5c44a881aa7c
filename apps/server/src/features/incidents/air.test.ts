/** From a reading at the front door to an incident, its event, acknowledgement and end, with restarts in between. */
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import type { IncidentStep } from '../../incident-step.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { type EventClient, openEvents } from '../../testing/sse.ts';

let app: TestApp;
let staff: string;
let employee: Employee;
let family: Family;
let bystander: Family;
let sensor: { id: string; key: string };
let steps: IncidentStep[] = [];
let number = 0;
const within = { timeout: 240_000, interval: 10 };
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

beforeAll(async () => {
  app = await startTestApp({
    receiveStep: async (step) => {
      steps.push(step);
    },
  });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  staff = await app.staff();
  employee = await app.makeEmployee();
  [family, bystander] = [await app.makeFamily(), await app.makeFamily()];
  const child = await app.makeChild(family);
  await app.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, {
    token: staff,
    json: { durationInMinutes: 240 },
  });
});
beforeEach(async () => {
  // Tokens of other tests' clocks may have idled out.
  staff = await app.staff();
  steps = [];
  const json = { name: `Sensor ${++number}`, area: `Room ${number}`, kind: 'haris', period: 60 };
  const made = await app.expect(201, 'POST', '/api/sensors', { token: staff, json });
  sensor = { id: made.sensor._id, key: made.deviceKey };
});
afterEach(async () => {
  await app.expect(200, 'DELETE', `/api/sensors/${sensor.id}`, { token: await app.staff() });
  await app.app.incidents.sweep();
});
afterAll(() => app.close());

/** Sends a reading; resolves once it is judged. */
async function send(reading: object, through = app.app): Promise<void> {
  const answer = await through.inject({
    method: 'POST',
    url: `/api/sensors/${sensor.id}/readings`,
    headers: { 'x-device-key': sensor.key },
    payload: reading,
  });
  expect(answer.statusCode).toBe(202);
  await through.incidents.sweep();
}
const listed = async (state = 'open', token = staff) =>
  (await app.expect(200, 'GET', `/api/incidents?state=${state}&limit=200`, { token })).incidents;
const mine = async (state = 'all') =>
  (await listed(state)).filter(({ subject }) => subject?._id === sensor.id && subject.kind === 'sensor');
const air = async (state = 'all') => (await mine(state)).filter(({ kind }) => kind !== 'sensor_offline');

test('a reading of 40 degrees raises an incident that a person takes on and cool readings end', async () => {
  await send({ temperature: 39.9, mq2: 999 });
  expect(await air()).toEqual([]);
  await send({ temperature: 40 });
  const [raised] = await air('open');
  expect(raised).toMatchObject({
    kind: 'temperature',
    severity: 'safety',
    area: `Room ${number}`,
    subject: { name: `Sensor ${number}` },
    value: 40,
    limit: 40,
    raisedAt: new Date(app.clock.now()).toISOString(),
    clearedAt: null,
    acknowledgedAt: null,
    acknowledgedBy: null,
    timeline: [{ what: 'raised', value: 40, by: null }],
  });
  const acknowledge = (token: string, json?: object) =>
    app.expect(200, 'POST', `/api/incidents/${raised?._id}/acknowledge`, {
      token,
      ...(json ? { json } : {}),
    });
  app.clock.advance(20 * SECOND);
  const { incident } = await acknowledge(employee.token, { note: ' The windows are open ' });
  expect(incident.acknowledgedBy).toEqual({ _id: employee.id, name: employee.name });
  app.clock.advance(20 * SECOND);
  expect((await acknowledge(staff)).incident).toEqual(incident);
  await send({ temperature: 43 });
  await send({ temperature: 30 });
  app.clock.advance(60 * SECOND);
  await send({ temperature: 29.5 });
  const [over] = await air();
  expect(over?.clearedAt).toBe(new Date(app.clock.now()).toISOString());
  expect(over?.timeline.map(({ what, value, by, note }) => [what, value, by?.name ?? null, note])).toEqual([
    ['raised', 40, null, null],
    ['acknowledged', null, employee.name, 'The windows are open'],
    ['updated', 43, null, null],
    ['cleared', null, null, null],
  ]);
  expect(await air('open')).toEqual([]);
  const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${raised?._id}`, { token: staff });
  expect(entries.map(({ action, actor }) => [action, actor?.id ?? null]).reverse()).toEqual([
    ['incident.raised', null],
    ['incident.acknowledged', employee.id],
    ['incident.updated', null],
    ['incident.cleared', null],
  ]);
});

test('air and temperature are incidents of their own: one taken on leaves the other', async () => {
  await send({ temperature: 41, mq2: 1000 });
  const open = await air('open');
  expect(open.map(({ kind }) => kind).sort()).toEqual(['air', 'temperature']);
  const heat = open.find(({ kind }) => kind === 'air');
  await app.expect(200, 'POST', `/api/incidents/${heat?._id}/acknowledge`, { token: staff });
  expect(
    Object.fromEntries(
      (await air('open')).map(({ kind, acknowledgedAt }) => [kind, acknowledgedAt !== null]),
    ),
  ).toEqual({ air: true, temperature: false });
});

test('noise around the limit is one incident', async () => {
  for (let round = 0; round < 16; round++) {
    await send({ temperature: 40 + (round % 2 === 0 ? 0.4 : -0.6) });
    app.clock.advance(MINUTE);
  }
  expect(await air()).toHaveLength(1);
  expect(await air('open')).toHaveLength(1);
});

test('silence and old values end nothing', async () => {
  await send({ temperature: 45 });
  await send({ temperature: 20 });
  for (let minute = 0; minute < 10; minute++) {
    app.clock.advance(MINUTE);
    await app.app.incidents.sweep();
  }
  expect(await air('open')).toHaveLength(1);
  // The sensor itself has an incident too.
  expect((await mine('open')).map(({ kind }) => kind).sort()).toEqual(['sensor_offline', 'temperature']);
  await send({ temperature: 20 });
  expect((await mine('open')).map(({ kind }) => kind)).toEqual([]);
});

test('a restart in the middle makes no second incident and forgets none, nor a delay that runs', async () => {
  await send({ temperature: 41 });
  const before = await air('open');
  const second = await buildApp(app.context, { web: false, sweepsIncidents: false });
  try {
    await send({ temperature: 42.5 }, second);
    await send({ temperature: 42.5 });
    const after = await air();
    expect(after.map(({ _id }) => _id)).toEqual(before.map(({ _id }) => _id));
    expect(after[0]?.value).toBe(42.5);
    await send({ temperature: 20 });
  } finally {
    await second.close();
  }
  app.clock.advance(MINUTE);
  const third = await buildApp(app.context, { web: false, sweepsIncidents: false });
  try {
    await send({ temperature: 20 }, third);
    expect(await air('open')).toEqual([]);
    const alarms = {
      ...(await app.expect(200, 'GET', '/api/settings', { token: staff })).settings.alarms,
      air: { from: 500, hysteresis: 10, delaySeconds: 30, clearSeconds: 0 },
    };
    await app.expect(200, 'PUT', '/api/settings', { token: staff, json: { alarms } });
    await send({ mq2: 600 }, third);
    expect(await air('open')).toEqual([]);
  } finally {
    await third.close();
  }
  app.clock.advance(30 * SECOND);
  await send({ mq2: 510 });
  expect((await air('open')).map(({ kind, limit }) => [kind, limit])).toEqual([['air', 500]]);
});

test('two servers that get the same reading raise one', async () => {
  const second = await buildApp(app.context, { web: false, sweepsIncidents: false });
  try {
    await Promise.all([send({ temperature: 50 }), send({ temperature: 50 }, second)]);
    expect(await air()).toHaveLength(1);
  } finally {
    await second.close();
  }
});

test('an area has limits of its own', async () => {
  const json = {
    areaAlarms: [
      { area: `Room ${number}`, temperature: { from: 30, hysteresis: 2, delaySeconds: 0, clearSeconds: 0 } },
    ],
  };
  await app.expect(200, 'PUT', '/api/settings', { token: staff, json });
  await send({ temperature: 30 });
  expect((await air('open')).map(({ limit }) => limit)).toEqual([30]);
  await send({ temperature: 28.1 });
  expect(await air('open')).toHaveLength(1);
  await send({ temperature: 28 });
  expect(await air('open')).toEqual([]);
  for (const areaAlarms of [
    [{ area: '' }],
    [{ area: 'A' }, { area: 'A' }],
    [{ area: 'A', temperature: { from: 99, hysteresis: 1, delaySeconds: 0, clearSeconds: 0 } }],
  ])
    expect((await app.ask('PUT', '/api/settings', { token: staff, json: { areaAlarms } })).status).toBe(400);
  await app.expect(200, 'PUT', '/api/settings', { token: staff, json: { areaAlarms: [] } });
});

test('who is told: staff, and parents with a child inside, without the names of staff', async () => {
  const port = (app.app.server.address() as AddressInfo).port;
  const [desk, inside, outside] = (await Promise.all(
    [staff, family.token, bystander.token].map((token) => openEvents(port, token)),
  )) as [EventClient, EventClient, EventClient];
  await send({ temperature: 55 });
  const [raised] = await air('open');
  const json = { note: 'Heating' };
  await app.expect(200, 'POST', `/api/incidents/${raised?._id}/acknowledge`, { token: employee.token, json });
  const told = (client: EventClient) =>
    client.events
      .filter(({ type }) => type.startsWith('alert.'))
      .map(({ type, data }) => [type, data.incidentId]);
  const both = [
    ['alert.raised', raised?._id],
    ['alert.acknowledged', raised?._id],
  ];
  await expect.poll(() => told(desk), within).toEqual(both);
  await expect.poll(() => told(inside), within).toEqual(both);
  expect(told(outside)).toEqual([]);
  for (const client of [desk, inside, outside]) client.close();

  const seen = (await listed('open', family.token)).filter(({ _id }) => _id === raised?._id);
  expect(seen).toHaveLength(1);
  expect(seen[0]?.acknowledgedAt).not.toBeNull();
  expect(JSON.stringify(seen)).not.toContain(employee.name);
  expect(JSON.stringify(seen)).not.toContain('Heating');
  expect(await listed('open', bystander.token)).toEqual([]);
  expect(await listed('all', bystander.token)).toEqual([]);
  const refused = await app.ask('POST', `/api/incidents/${raised?._id}/acknowledge`, { token: family.token });
  expect(refused.status).toBe(403);
});

describe('the ladder', () => {
  const told = () =>
    steps.filter(({ kind }) => kind === 'temperature').map(({ step, phase }) => `${step} ${phase}`);

  test('climbs until somebody takes it on, and its end is told to all whom it has reached', async () => {
    await send({ temperature: 60 });
    expect(told()).toEqual(['0 raised']);
    const [first] = steps;
    expect(first).toMatchObject({
      severity: 'safety',
      title: { key: 'incident.temperature.title', values: { area: `Room ${number}`, value: 60, limit: 40 } },
    });
    expect(first?.audience).toContainEqual({ kind: 'parent', id: family.id });
    expect(first?.audience).not.toContainEqual({ kind: 'parent', id: bystander.id });
    app.clock.advance(2 * MINUTE);
    await app.app.incidents.sweep();
    await app.app.incidents.sweep();
    expect(told()).toEqual(['0 raised', '1 escalated']);
    expect(steps.at(-1)?.audience).toContainEqual({ kind: 'admin', id: employee.id });
    const [incident] = await air('open');
    expect(incident?.timeline.map(({ what, step }) => [what, step])).toEqual([
      ['raised', null],
      ['escalated', 1],
    ]);
    await app.expect(200, 'POST', `/api/incidents/${incident?._id}/acknowledge`, { token: staff });
    app.clock.advance(10 * MINUTE);
    await app.app.incidents.sweep();
    expect(told()).toEqual(['0 raised', '1 escalated']);
    await send({ temperature: 20 });
    app.clock.advance(MINUTE);
    await send({ temperature: 20 });
    expect(told()).toEqual(['0 raised', '1 escalated', '1 cleared']);
    const reached = new Set(steps.slice(0, -1).flatMap(({ audience }) => audience.map(({ id }) => id)));
    expect(new Set(steps.at(-1)?.audience.map(({ id }) => id))).toEqual(reached);
    expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length);
  });

  test('loses no step to a receiver that fails, nor to a crash between the commit and the notifying', async () => {
    const heard: string[] = [];
    let isBroken = true;
    const broken = await buildApp(app.context, {
      web: false,
      sweepsIncidents: false,
      receiveStep: async ({ id }) => {
        heard.push(id);
        if (isBroken) throw new Error('the way is blocked');
      },
    });
    try {
      await send({ temperature: 70 }, broken);
      expect(heard).toHaveLength(1);
      isBroken = false;
      app.clock.advance(30 * SECOND);
      await broken.incidents.sweep();
      await broken.incidents.sweep();
      expect(heard).toEqual([heard[0], heard[0]]);
    } finally {
      await broken.close();
    }
    expect(told()).toEqual([]);
  });
});
