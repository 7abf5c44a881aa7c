/** A fire that somebody has acknowledged burns on: nobody loses sight of it before it is over. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let staff: string;
let family: Family;
let sensor: { id: string; key: string };
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

beforeAll(async () => {
  app = await startTestApp();
  family = await app.makeFamily();
  staff = await app.staff();
  const child = await app.makeChild(family);
  const json = { durationInMinutes: 240 };
  await app.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token: staff, json });
});
beforeEach(async () => {
  staff = await app.staff();
  const json = { name: 'Stove', area: 'Kitchen', kind: 'haris', period: 60 };
  const made = await app.expect(201, 'POST', '/api/sensors', { token: staff, json });
  sensor = { id: made.sensor._id, key: made.deviceKey };
});
afterAll(() => app.close());

async function measure(temperature: number): Promise<void> {
  const headers = { 'x-device-key': sensor.key };
  await app.expect(202, 'POST', `/api/sensors/${sensor.id}/readings`, { json: { temperature }, headers });
  await app.app.incidents.sweep();
}
const fires = async (token: string) =>
  (await app.expect(200, 'GET', '/api/incidents', { token })).incidents.filter(
    ({ kind }) => kind === 'temperature',
  );
async function burn(): Promise<string> {
  await measure(50);
  const [fire] = await fires(staff);
  await app.expect(200, 'POST', `/api/incidents/${fire?._id}/acknowledge`, { token: staff });
  return String(fire?._id);
}
async function cool(): Promise<void> {
  await measure(20);
  app.clock.advance(2 * MINUTE);
  await measure(20);
}
const burning = (id: string) => [
  expect.objectContaining({
    _id: id,
    severity: 'safety',
    acknowledgedAt: expect.any(String),
    clearedAt: null,
  }),
];

test('it is there for staff and parents who sign in later, and after a restart, until it is over', async () => {
  const id = await burn();
  const late = await app.makeEmployee();
  expect(await fires(late.token)).toEqual(burning(id));
  expect(await fires(await app.signIn('parent', family.email, family.password))).toEqual(burning(id));
  // A family that comes in during the fire.
  const next = await app.makeFamily();
  const child = (await app.makeChild(next))._id;
  expect(await fires(next.token)).toEqual([]);
  await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: staff });
  expect(await fires(next.token)).toEqual(burning(id));

  const restarted = await buildApp(app.context, { web: false, sweepsIncidents: false });
  try {
    await restarted.incidents.sweep();
    for (const token of [staff, next.token]) {
      const headers = { authorization: `Bearer ${token}` };
      const { incidents } = (await restarted.inject({ url: '/api/incidents', headers })).json();
      expect(incidents).toEqual(expect.arrayContaining(burning(id)));
    }
  } finally {
    await restarted.close();
  }
  await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: staff });
  expect(await fires(next.token)).toEqual([]);
  await cool();
  expect(await fires(staff)).toEqual([]);
  // What is over is no business of parents, who may have come since.
  const all = await app.expect(200, 'GET', '/api/incidents?state=all', { token: family.token });
  expect(all.incidents).toEqual([]);
});

test('its sensor may burn, be moved or be renamed: it stays open, in the room where it began', async () => {
  const id = await burn();
  app.clock.advance(30 * MINUTE);
  staff = await app.staff();
  await app.app.incidents.sweep();
  expect(await fires(staff)).toEqual(burning(id));
  const json = { name: 'Another name', area: 'Garden' };
  await app.expect(200, 'PUT', `/api/sensors/${sensor.id}`, { token: staff, json });
  await measure(51);
  expect(await fires(staff)).toMatchObject([
    { _id: id, area: 'Kitchen', value: 51, subject: { name: 'Another name' } },
  ]);
  await app.expect(200, 'DELETE', `/api/sensors/${sensor.id}`, { token: staff });
  await app.app.incidents.sweep();
  expect(await fires(staff)).toEqual([]);
});

test('acknowledging everything, also at the moment it breaks out, leaves it to be read', async () => {
  const all = () =>
    app.expect(200, 'POST', '/api/incidents/acknowledge', { token: staff, json: { filter: {} } });
  const [, { incidents }] = await Promise.all([measure(50), all(), all()]);
  expect(incidents.map(({ kind }) => kind)).not.toContain('temperature');
  await all();
  for (const severity of ['safety', 'care'])
    await app.expect(200, 'POST', '/api/incidents/acknowledge', {
      token: staff,
      json: { filter: { severity, area: 'Kitchen' } },
    });
  expect(await fires(staff)).toMatchObject([{ acknowledgedAt: null, clearedAt: null }]);
  await app.expect(200, 'DELETE', `/api/sensors/${sensor.id}`, { token: staff });
  await app.app.incidents.sweep();
});

test('acknowledging everything covers nobody whom its answer does not name', async () => {
  const other = await app.makeFamily();
  const children: string[] = [];
  for (let n = 0; n < 4; n++) children.push((await app.makeChild(other))._id);
  const checkIn = (id: string | undefined) =>
    app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
  const covered = new Set<string>();
  for (const child of children) {
    await checkIn(child);
    app.clock.advance(31 * MINUTE);
    staff = await app.staff();
    const [answer] = await Promise.all([
      app.expect(200, 'POST', '/api/incidents/acknowledge', { token: staff, json: { filter: {} } }),
      app.app.incidents.sweep(),
    ]);
    for (const { subjects } of answer.incidents) for (const { _id } of subjects) covered.add(_id);
  }
  await app.app.incidents.sweep();
  const { incidents } = await app.expect(200, 'GET', '/api/incidents?kind=time_up', { token: staff });
  const subjects = incidents.flatMap(({ subjects: all, acknowledgedAt }) =>
    all.map(({ _id }) => ({ _id, isAcknowledged: acknowledgedAt !== null })),
  );
  // Each in one incident, and acknowledged only if somebody was told of it.
  expect(subjects.map(({ _id }) => _id).toSorted()).toEqual(children.toSorted());
  for (const { _id, isAcknowledged } of subjects) if (isAcknowledged) expect(covered).toContain(_id);
  for (const child of children)
    await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: staff });
});

test('a parent who asks for another kind or room gets nothing more', async () => {
  const other = await app.makeFamily();
  const child = (await app.makeChild(other, 'Somebody Else'))._id;
  await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: staff });
  app.clock.advance(31 * MINUTE);
  staff = await app.staff();
  await app.app.incidents.sweep();
  for (const query of [
    'kind=time_up',
    'severity=care',
    'state=all&area=Kitchen',
    'state=all&severity=operation',
  ]) {
    const token = await app.signIn('parent', family.email, family.password);
    const { incidents } = await app.expect(200, 'GET', `/api/incidents?${query}`, { token });
    expect(JSON.stringify(incidents), query).not.toContain(child);
    expect(JSON.stringify(incidents), query).not.toContain('Somebody Else');
  }
  // Not even if a row names the parent: versions before had such rows.
  const token = await app.signIn('parent', family.email, family.password);
  const [row] = (await app.expect(200, 'GET', '/api/incidents?kind=time_up', { token: staff })).incidents;
  await app.context.db
    .updateTable('incidents')
    .set({ kind: 'not_seen', parent_id: family.id })
    .where('id', '=', String(row?._id))
    .execute();
  expect((await app.expect(200, 'GET', '/api/incidents?state=all', { token })).incidents).toEqual([]);
});
