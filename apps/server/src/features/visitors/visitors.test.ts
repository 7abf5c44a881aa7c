/** Visitors: signing in and out by name, who counts as inside, and the erasure of names. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanOnce } from '../../housekeeping.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let staff: string;
let family: Family;
const HOUR = 3_600_000;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  family = await app.makeFamily();
});
afterAll(() => app.close());

const signIn = async (json: object) =>
  (await app.expect(201, 'POST', '/api/visitors', { token: staff, json })).visitor;
const namesInside = async (search = '') => {
  const url = `/api/visitors?inside=true&search=${encodeURIComponent(search)}`;
  return (await app.expect(200, 'GET', url, { token: staff })).visitors.map(({ name }) => name);
};

test('a visitor is inside until signed out; both are in the audit log, without the name', async () => {
  const visitor = await signIn({ name: '  Nadia   Fathy ', phone: '٠١٠٠١٢٣٤٥٦٧', reason: 'Inspection' });
  expect(visitor).toMatchObject({ kind: 'visitor', phone: '01001234567', isInside: true, signedOutAt: null });
  expect(visitor.signedInBy.name).toBe('Administrator');
  expect(await namesInside('nadia')).toHaveLength(1);
  expect(await namesInside('0123')).toHaveLength(1);
  expect(await namesInside('inspec')).toHaveLength(1);
  const url = `/api/visitors/${visitor._id}/sign-out`;
  const { visitor: out } = await app.expect(200, 'POST', url, { token: staff });
  expect(out).toMatchObject({ isInside: false });
  app.clock.advance(1000);
  expect((await app.expect(200, 'POST', url, { token: staff })).visitor).toEqual(out);
  expect(await namesInside()).toEqual([]);
  const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${visitor._id}`, { token: staff });
  expect(entries.map(({ action }) => action)).toEqual(['visitor.signed_out', 'visitor.signed_in']);
  // The list looks up the present name; the log itself, which is never erased, has none.
  expect(entries[0]?.subject?.name).toMatch(/^Nadia\s+Fathy$/);
  const rows = await app.context.db.selectFrom('audit_log').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain('Nadia');
});

test('a repeated request with the same id makes one row; what cannot be read is refused by field', async () => {
  const json = { _id: randomUUID(), name: 'Twice' };
  const first = await signIn(json);
  expect(await signIn({ ...json, name: 'Another name' })).toEqual(first);
  expect(await namesInside('twice')).toEqual(['Twice']);
  for (const [field, wrong] of [
    ['name', { name: ' ' }],
    ['name', { name: 'a\u202eb' }],
    ['phone', { name: 'A', phone: '12' }],
    ['reason', { name: 'A', reason: 'x'.repeat(101) }],
    ['kind', { name: 'A', kind: 'child' }],
    ['_id', { name: 'A', _id: 'one' }],
  ] as const) {
    const answer = await app.ask('POST', '/api/visitors', { token: staff, json: wrong });
    expect(answer).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } });
  }
});

test('cannot have the id of a child or of staff, whose ticks of a roll call would be theirs', async () => {
  const { _id: child } = await app.makeChild(family);
  const { id: employee } = await app.makeEmployee();
  for (const _id of [child, employee])
    expect(
      await app.ask('POST', '/api/visitors', { token: staff, json: { _id, name: 'Double' } }),
    ).toMatchObject({ status: 400, body: { fields: { _id: '_id belongs to somebody else' } } });
  expect(await namesInside('double')).toEqual([]);
});

test('nobody but staff sees or changes visitors', async () => {
  const visitor = await signIn({ name: 'Private' });
  for (const token of [undefined, family.token])
    for (const [method, url] of [
      ['GET', '/api/visitors'],
      ['POST', '/api/visitors'],
      ['POST', `/api/visitors/${visitor._id}/sign-out`],
      ['GET', '/api/roll-call'],
    ] as const)
      expect((await app.ask(method, url, { token, ...(method === 'POST' ? { json: {} } : {}) })).status).toBe(
        token === undefined ? 401 : 403,
      );
});

test('a forgotten visitor counts for a day, and the name is erased after the days of the setting', async () => {
  await signIn({ name: 'Forgotten' });
  app.clock.advance(23 * HOUR);
  staff = await app.staff();
  expect(await namesInside('forgotten')).toEqual(['Forgotten']);
  const before = await app.expect(200, 'GET', '/api/roll-call', { token: staff });
  expect(before.rollCall.people.map(({ name }) => name)).toContain('Forgotten');
  app.clock.advance(2 * HOUR);
  expect(await namesInside('forgotten')).toEqual([]);
  const { rollCall } = await app.expect(200, 'GET', '/api/roll-call', { token: staff });
  expect(rollCall.people.map(({ name }) => name)).not.toContain('Forgotten');
  const all = async () =>
    (await app.expect(200, 'GET', '/api/visitors?search=forgotten', { token: staff })).visitors;
  expect(await all()).toMatchObject([{ isInside: false, signedOutAt: null }]);
  await app.expect(200, 'PUT', '/api/settings', { token: await app.staff(), json: { visitorDays: 3 } });
  await cleanOnce(app.context);
  expect(await all()).toHaveLength(1);
  app.clock.advance(2 * 24 * HOUR);
  staff = await app.staff();
  await cleanOnce(app.context);
  expect(await all()).toEqual([]);
});
