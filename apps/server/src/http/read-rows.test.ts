/** How many rows of personal data a staff session reads without a proof, and who never meets the limit. */
import { randomUUID } from 'node:crypto';
import { ROWS_WITHOUT_PROOF } from '@haris/contract/constants';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertParent } from '../db/parents.ts';
import { inTransaction } from '../db/transaction.ts';
import { type Employee, startTestApp, type TestApp } from '../testing/harness.ts';

const MINUTE = 60_000;
const PARENTS_URL = '/api/parent/get-all-parents';

let app: TestApp;
let colleague: Employee;
beforeAll(async () => {
  app = await startTestApp();
  await inTransaction(app.context.db, async ({ trx }) => {
    for (let n = 0; n < ROWS_WITHOUT_PROOF + 150; n++)
      await insertParent(trx, {
        ...{ id: randomUUID(), name: `Parent ${n}`, email: `parent-${n}@families.test`, phone: null },
        ...{ passwordHash: null, language: 'en', madeFrom: null, createdAt: n },
      });
  });
  colleague = await app.makeEmployee();
});
afterAll(() => app.close());

/** A session whose proof is too old. */
let token: string;
beforeEach(async () => {
  token = await app.signIn('admin', colleague.email, colleague.password);
  app.clock.advance(11 * MINUTE);
});

const prove = () =>
  app.expect(204, 'POST', '/api/session/proof', { token, json: { password: colleague.password } });

/** Reads families by the cursor until the last one or a refusal. Returns the number of families and the code of the refusal. */
async function readAll(by = token): Promise<{ read: number; code: string | null }> {
  let [read, cursor] = [0, ''];
  for (;;) {
    const { status, body } = await app.ask('GET', `${PARENTS_URL}?limit=200${cursor}`, { token: by });
    if (status !== 200) return { read, code: body.code };
    read += body.parents.length;
    if (body.nextCursor === null) return { read, code: null };
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
}

test('a session without a proof is asked for one beyond 2000 rows, and reads on with it', async () => {
  expect(await readAll()).toEqual({ read: ROWS_WITHOUT_PROOF, code: 'proof_required' });
  // Also by another list, and page by page: what it has not seen yet counts.
  const audit = await app.ask('GET', '/api/audit?limit=200', { token });
  expect(audit).toMatchObject({ status: 403, body: { code: 'proof_required', methods: ['password'] } });
  await prove();
  expect(await readAll()).toEqual({ read: ROWS_WITHOUT_PROOF + 150, code: null });
  expect((await app.ask('GET', '/api/audit?limit=200', { token })).status).toBe(200);
});

test('the limit is of one session and one hour', async () => {
  expect((await readAll()).code).toBe('proof_required');
  const other = await app.signIn('admin', colleague.email, colleague.password);
  expect((await app.ask('GET', '/api/audit', { token: other })).status).toBe(200);
  expect((await app.ask('GET', '/api/audit?limit=200', { token })).status).toBe(403);
  app.clock.advance(61 * MINUTE);
  expect((await app.ask('GET', '/api/audit?limit=200', { token })).status).toBe(200);
});

test('many calls at once read no more', async () => {
  await readAll();
  const pages = Array.from({ length: 20 }, (_, n) => `/api/audit?limit=${n + 1}`);
  const answers = await Promise.all(pages.map((url) => app.ask('GET', url, { token })));
  expect(answers.every(({ status }) => status === 403)).toBe(true);
});

test('a desk that reloads all day, searches, and reads its lists again reads nothing new', async () => {
  const urls = [
    ...[`${PARENTS_URL}?limit=200`, '/api/children/get-all-children?inside=true&limit=200'],
    ...['/api/search?q=Parent', '/api/reports/attendance?period=month', '/api/admin/get-all-admins'],
  ];
  for (let round = 0; round < 60; round++)
    for (const url of urls) expect((await app.ask('GET', url, { token })).status, url).toBe(200);
});

test('a client that has just signed in reads everything, and later what it knows', async () => {
  const now = await app.signIn('admin', colleague.email, colleague.password);
  expect((await readAll(now)).code).toBe(null);
  app.clock.advance(11 * MINUTE);
  expect((await readAll(now)).code).toBe(null);
});
