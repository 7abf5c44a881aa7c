/** Sample data: there is none beside real families, and removing it leaves no row of it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let token: string;
beforeEach(async () => {
  app = await startTestApp();
  token = await app.staff();
});
afterEach(() => app.close());

const add = () => app.ask('POST', '/api/sample-data', { token });
const remove = () => app.expect(200, 'DELETE', '/api/sample-data', { token });
const sample = async () => (await app.expect(200, 'GET', '/api/setup', { token })).setup;

/** Tables that count events of the past, and those that hold no rows of people. */
const KEPT = new Set([
  'audit_log',
  'audit_head',
  'events',
  'erasures',
  'settings',
  'meta',
  'throttle_hits',
  'idempotency_keys',
]);

/** Numbers of rows of every other table. */
async function counts(): Promise<Record<string, number>> {
  const { db } = app.context;
  const tables = (await db.introspection.getTables())
    .map(({ name }) => name)
    .filter((name) => !KEPT.has(name));
  const found: Record<string, number> = {};
  for (const table of tables)
    found[table] = (
      await db
        .selectFrom(table as 'stays')
        .selectAll()
        .execute()
    ).length;
  return found;
}

test('is families with photos, children inside and a camera, all of them marked; nobody is mailed, nobody can sign in', async () => {
  expect((await sample()).sample).toBe('possible');
  expect(await add()).toMatchObject({ status: 201 });
  const { parents } = await app.expect(200, 'GET', '/api/parent/get-all-parents', { token });
  expect(parents).toHaveLength(3);
  for (const { name, email } of parents) {
    expect(name).toMatch(/\(sample\)|\(تجريبي\)/);
    expect(email).toMatch(/@sample\.invalid$/);
  }
  const { children } = await app.expect(200, 'GET', '/api/children/get-all-children', { token });
  expect(children).toHaveLength(5);
  expect(children.every(({ name, photo }) => photo !== null && /\((sample|تجريبي)\)/.test(name))).toBe(true);
  expect(children.filter(({ isInside }) => isInside)).toHaveLength(3);
  expect((await app.expect(200, 'GET', '/api/cameras', { token })).cameras).toMatchObject([
    { name: 'Sample camera', area: 'Playroom' },
  ]);
  expect(await app.outbox()).toEqual([]);
  const after = await sample();
  expect(after.sample).toBe('present');
  // Sample data ticks no item off.
  expect(after.items.filter(({ state }) => state === 'done').map(({ id }) => id)).toEqual(['account']);
});

test('goes in one press, and leaves nothing but the audit log', async () => {
  const before = await counts();
  await add();
  await remove();
  expect(await counts()).toEqual(before);
  expect((await sample()).sample).toBe('possible');
  const { entries } = await app.expect(200, 'GET', '/api/audit?limit=200', { token });
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['sample_data.added', 'parent.deleted', 'camera.deleted', 'sample_data.removed']),
  );
  // It can be added and removed again; removing does nothing if there is none.
  expect((await add()).status).toBe(201);
  await remove();
  await remove();
  expect(await counts()).toEqual(before);
});

test('goes also where nobody takes a child without a proof', async () => {
  await add();
  const setMode = (handover: 'record' | 'require') =>
    app.expect(200, 'PUT', '/api/settings', { token, json: { handover } });
  await setMode('require');
  await remove();
  expect((await sample()).sample).toBe('possible');
  await setMode('record');
});

test('removing takes nothing of what staff added meanwhile', async () => {
  await add();
  await app.expect(201, 'POST', '/api/cameras', {
    token,
    json: { name: 'Door', area: 'Hall', kind: 'browser' },
  });
  const employee = await app.makeEmployee();
  await remove();
  expect((await app.expect(200, 'GET', '/api/cameras', { token })).cameras).toMatchObject([{ name: 'Door' }]);
  await app.signIn('admin', employee.email, employee.password);
});

test('takes its alerts and extended stays with it, and leaves those of what is real', async () => {
  const camera = { area: 'Hall', kind: 'mjpeg', url: 'http://192.0.2.7/stream' };
  const real = (
    await app.expect(201, 'POST', '/api/cameras', { token, json: { ...camera, name: 'Real camera' } })
  ).camera._id;
  await add();
  const { children } = await app.expect(200, 'GET', '/api/children/get-all-children', { token });
  const [child] = children.filter(({ isInside }) => isInside);
  await app.expect(200, 'POST', `/api/children/extend-stay/${child?._id}`, {
    token,
    json: {
      due: new Date(Date.parse(String(child?.entryTime)) + Number(child?.duration) * 60_000).toISOString(),
      minutes: 30,
    },
  });
  await app.app.incidents.sweep();
  app.clock.advance(5 * 3_600_000);
  await app.app.incidents.sweep();
  const kinds = ['time_up', 'camera_down'];
  const alerts = async () =>
    (await app.expect(200, 'GET', '/api/incidents?state=all', { token })).incidents
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ kind, subjects }) => [kind, subjects.length]);
  expect(await alerts()).toEqual(
    expect.arrayContaining([
      ['time_up', 3],
      ['camera_down', 2],
    ]),
  );
  await remove();
  expect(await alerts()).toEqual([['camera_down', 1]]);
  const { db } = app.context;
  const subjects = await db.selectFrom('incident_subjects').select('subject_id').execute();
  expect(subjects).toEqual([{ subject_id: real }]);
  expect(await db.selectFrom('stay_extensions').selectAll().execute()).toEqual([]);
  // Open pages hear that the alert is gone.
  const events = await db.selectFrom('events').select('type').orderBy('id', 'desc').limit(2).execute();
  expect(events.map(({ type }) => type)).toEqual(['settings.updated', 'alert.cleared']);
});

test('and real families never mix', async () => {
  await add();
  expect(await add()).toMatchObject({ status: 409, body: { code: 'sample_data_present' } });
  const json = { name: 'Mona', email: 'mona@family.test', phone: '01012345678', password: 'secret-6' };
  const refused = { status: 409, body: { code: 'sample_data_present' } };
  expect(await app.ask('POST', '/api/parent/add', { json })).toMatchObject(refused);
  expect(await app.ask('POST', '/api/parent/create-parent', { token, json })).toMatchObject(refused);
  const rows = [{ name: 'Mona', email: 'mona@family.test', phone: '' }];
  expect(
    await app.ask('POST', '/api/imports/parents', {
      token,
      json: { rows },
      headers: { 'idempotency-key': 'one' },
    }),
  ).toMatchObject(refused);
  await remove();
  await app.expect(201, 'POST', '/api/parent/add', { json });
  expect(await add()).toMatchObject({ status: 409, body: { code: 'not_empty' } });
  expect((await sample()).sample).toBe('impossible');
});

test('nobody can enter an address that would be erased with it', async () => {
  const json = { name: 'Mona', email: 'mona@sample.invalid', phone: '01012345678', password: 'secret-6' };
  expect(await app.ask('POST', '/api/parent/add', { json })).toMatchObject({
    status: 400,
    body: { fields: { email: 'Invalid email format' } },
  });
});

test('of two desks that add it at once, one does', async () => {
  const answers = await Promise.all([add(), add()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect((await app.expect(200, 'GET', '/api/children/get-all-children', { token })).children).toHaveLength(
    5,
  );
});

test('without the face engine there is none, and half of it is taken back', async () => {
  const before = await counts();
  app.vision.up = false;
  expect(await add()).toMatchObject({ status: 503, body: { code: 'face_engine_unavailable' } });
  app.vision.up = true;
  let enrolled = 0;
  app.vision.onEnrol = () => {
    enrolled++;
    if (enrolled === 3) app.vision.up = false;
  };
  expect((await add()).status).toBe(503);
  app.vision.up = true;
  app.vision.onEnrol = () => {};
  expect(await counts()).toEqual(before);
});

test('removing it while it is still being added leaves nothing either', async () => {
  const before = await counts();
  const adding = add();
  await vi.waitFor(async () =>
    expect((await app.expect(200, 'GET', '/api/parent/get-all-parents', { token })).total).toBe(3),
  );
  await remove();
  expect(await adding).toMatchObject({ status: 201 });
  expect((await sample()).sample).toBe('possible');
  expect(await counts()).toEqual(before);
});
