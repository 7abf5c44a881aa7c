/** The stay of an entry slip, as the desk looks it up. */
import { ENTRY_LOOKUPS_PER_MINUTE } from '@haris/contract/constants';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let staff: string;
let family: Family;
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  family = await app.makeFamily();
});
afterAll(() => app.close());

const find = (uniqueEntryId: unknown, token = staff) =>
  app.ask('POST', '/api/children/find-entry', { token, json: { uniqueEntryId } });
const act = (what: string, id: string, json: unknown = {}) =>
  app.expect(200, 'POST', `/api/children/${what}-child/${id}`, { token: staff, json });

async function enter(id: string): Promise<string> {
  const { child } = await act('checkin', id);
  app.clock.advance(1000);
  return String(child.uniqueEntryId);
}

test('a slip opens the stay it was printed for', async () => {
  const { _id: id } = await app.makeChild(family, 'Found');
  const entered = new Date(app.clock.now()).toISOString();
  const entryId = await enter(id);
  const { status, body } = await find(` ${entryId}\n`);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      entry: {
        state: 'inside',
        entryTime: entered,
        exitTime: null,
        child: expect.objectContaining({ _id: id, name: 'Found', isInside: true, uniqueEntryId: entryId }),
      },
    },
  });
});

test('a slip of an earlier visit stays one, also while the child is inside anew', async () => {
  const { _id: id } = await app.makeChild(family);
  const first = await enter(id);
  const left = new Date(app.clock.now()).toISOString();
  await act('checkout', id);
  app.clock.advance(1000);
  expect((await find(first)).body).toMatchObject({ entry: { state: 'left', exitTime: left } });
  const second = await enter(id);
  expect((await find(first)).body).toMatchObject({
    entry: { state: 'left', exitTime: left, child: { isInside: true, uniqueEntryId: second } },
  });
  await act('undo-checkin', id, { uniqueEntryId: second });
  expect((await find(second)).body).toMatchObject({ entry: { state: 'void', child: { isInside: false } } });
});

test('an unknown code, and one of a deleted child, are 404; what is no code is 400', async () => {
  const { _id: id } = await app.makeChild(family);
  const entryId = await enter(id);
  await act('checkout', id);
  await app.expect(200, 'DELETE', `/api/children/delete-child/${id}`, { token: staff });
  for (const unknown of [entryId, 'x'.repeat(43)])
    expect(await find(unknown)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  for (const odd of ['', '6221234567890', 'https://example.test/', `${entryId}x`, null, 7, ['x']])
    expect(await find(odd)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});

test('a parent may not look one up, not even the own child’s', async () => {
  const { _id: id } = await app.makeChild(family);
  expect((await find(await enter(id), family.token)).status).toBe(403);
});

test('no code and no name reaches the log', async () => {
  const { _id: id } = await app.makeChild(family, 'Not In Logs');
  const entryId = await enter(id);
  await find(entryId);
  const log = app.logLines.join('\n');
  expect(log).toContain('find-entry');
  expect(log).not.toContain(entryId);
  expect(log).not.toContain('Not In Logs');
});

test('one account looks up only so many a minute, another is free to', async () => {
  const eager = await app.makeEmployee();
  const other = await app.makeEmployee();
  const codes = Array.from({ length: ENTRY_LOOKUPS_PER_MINUTE }, () => find('x'.repeat(43), eager.token));
  expect(new Set((await Promise.all(codes)).map(({ status }) => status))).toEqual(new Set([404]));
  const refused = await find('x'.repeat(43), eager.token);
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect((await find('x'.repeat(43), other.token)).status).toBe(404);
  app.clock.advance(60_000);
  expect((await find('x'.repeat(43), eager.token)).status).toBe(404);
});
