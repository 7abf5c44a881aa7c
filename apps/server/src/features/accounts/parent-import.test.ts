/** Import of parents: refused as a whole or added once in portions, with invitations that are spread over time. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { importRoutes } from '@haris/contract/http/imports';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { verifyAuditTrail } from '../../db/audit.ts';
import { atFacility, makeFacility } from '../../testing/at-facility.ts';
import { startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let staff: string;
beforeEach(async () => {
  app = await startTestApp();
  staff = await app.staff();
});
afterEach(() => app.close());

interface Row {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
}
const row = (n: number, over: Partial<Row> = {}): Row => ({
  name: `Parent ${n}`,
  email: `parent-${n}@family.test`,
  phone: '',
  ...over,
});
const rowsTo = (count: number) => Array.from({ length: count }, (_, n) => row(n));

let keys = 0;
const send = (rows: unknown, { key = `key-${++keys}`, ...more }: Record<string, string> = {}) =>
  app.ask('POST', '/api/imports/parents', {
    token: staff,
    json: { rows, ...more },
    headers: { 'idempotency-key': key },
  });
async function preview(rows: readonly Row[]) {
  const { bytes, status } = await app.ask('POST', '/api/imports/parents/preview', {
    token: staff,
    json: { rows },
  });
  expect(status).toBe(200);
  return importRoutes.previewParentImport.answer.parse(JSON.parse(bytes.toString('utf8'))).problems;
}
const parents = () => app.context.db.selectFrom('parents').selectAll().orderBy('email').execute();
const mails = async () => (await app.context.db.selectFrom('mails').selectAll().execute()).length;

test('one account imports at most 4000 rows a day; another account and the next day have their own', async () => {
  // 159 portions were imported: there is room for one more.
  const { vault, clock, db } = app.context;
  const [{ id } = { id: '' }] = await db.selectFrom('staff').select('id').execute();
  const hit = { scope: 'families imported', key: vault.mac('throttle', id), at: clock.now() };
  for (let n = 0; n < 159; n++)
    await db
      .insertInto('throttle_hits')
      .values({ id: `hit ${n}`, ...hit })
      .execute();
  expect(await send(rowsTo(26))).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
  expect(await parents()).toHaveLength(0);
  expect((await send(rowsTo(25))).status).toBe(201);
  const more = [row(100)];
  const refused = await send(more);
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
  const own = staff;
  staff = (await app.makeEmployee()).token;
  expect((await send(more)).status).toBe(201);
  staff = own;
  app.clock.advance(24 * 3_600_000);
  staff = await app.staff();
  expect((await send([row(101)])).status).toBe(201);
});

test('an import whose proof becomes too old half-way goes on with a new one', async () => {
  const rows = rowsTo(60);
  // A proof that ends when the first portion is there.
  const insert = vi.spyOn(app.context.audit, 'appendAll').mockImplementationOnce(async (...given) => {
    insert.mockRestore();
    await app.context.audit.appendAll(...given);
    app.clock.advance(11 * 60_000);
  });
  expect(await send(rows, { key: 'half' })).toMatchObject({ status: 403, body: { code: 'proof_required' } });
  expect(await parents()).toHaveLength(25);
  await app.proveNow(staff);
  expect(await send(rows, { key: 'half' })).toMatchObject({ status: 201, body: { created: 60 } });
  expect(await parents()).toHaveLength(60);
});

test('adds all of them, invited, with the rules of Add Parent', async () => {
  const answer = await send(
    [
      row(1, { name: ' منى حسن ', email: ' Mona@Family.TEST ', phone: '٠١٠١٢٣٤٥٦٧٨' }),
      row(2, { phone: ' ' }),
    ],
    { language: 'ar' },
  );
  expect(answer).toMatchObject({
    status: 201,
    body: { message: 'Parents imported successfully', created: 2, leftOut: [] },
  });
  expect(await parents()).toMatchObject([
    { name: 'منى حسن', email: 'mona@family.test', phone: '01012345678', email_verified: 0, language: 'ar' },
    { name: 'Parent 2', email: 'parent-2@family.test', phone: null, password_hash: null },
  ]);
  const mail = await app.lastMail('mona@family.test');
  expect(mail.subject).toBe('دعوتك إلى حارس');
  await app.expect(200, 'POST', '/vendor/reset', { json: { token: mail.token, password: 'secret-6' } });
  await app.signIn('parent', 'mona@family.test', 'secret-6');
  const { parents: found } = await app.expect(200, 'GET', '/api/parent/get-all-parents?search=مني', {
    token: staff,
  });
  expect(found).toHaveLength(1);
});

describe('when one row is wrong', () => {
  test('nothing is done, and each problem is named by row and field', async () => {
    const rows = [
      row(0),
      row(1, { name: ' ' }),
      row(2, { email: 'nonsense', phone: '0123' }),
      row(3, { email: 'PARENT-0@family.test' }),
      row(4, { email: '' }),
      row(5, { email: 'parent-0@family.test', phone: '0123' }),
    ];
    const problems = [
      { row: 1, field: 'name', message: 'Name is required' },
      { row: 2, field: 'email', message: 'Invalid email format' },
      { row: 2, field: 'phone', message: 'Invalid phone number format' },
      { row: 3, field: 'email', message: 'This e-mail stands in the file more than once' },
      { row: 4, field: 'email', message: 'Invalid email format' },
      { row: 5, field: 'phone', message: 'Invalid phone number format' },
      { row: 5, field: 'email', message: 'This e-mail stands in the file more than once' },
    ];
    expect(await preview(rows)).toEqual(problems);
    const refused = await send(rows);
    expect(refused).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_request',
        message: 'Name is required',
        fields: Object.fromEntries(
          problems.map(({ row: at, field, message }) => [`${at}.${field}`, message]),
        ),
      },
    });
    expect(await parents()).toEqual([]);
    expect(await mails()).toBe(0);
  });

  test('because there is an account: nothing is done either, and the key is free again', async () => {
    const family = await app.makeFamily();
    const before = await parents();
    const rows = [row(0), row(1, { email: family.email.toUpperCase() })];
    expect(await preview(rows)).toEqual([
      { row: 1, field: 'email', message: 'An account with this e-mail already exists' },
    ]);
    expect(await send(rows, { key: 'mine' })).toMatchObject({
      status: 409,
      body: {
        code: 'import_refused',
        fields: { '1.email': 'An account with this e-mail already exists' },
      },
    });
    expect(await parents()).toEqual(before);
    expect((await send([row(0)], { key: 'mine' })).status).toBe(201);
  });

  test('a preview of good rows finds nothing, and changes nothing', async () => {
    expect(await preview(rowsTo(1200))).toEqual([]);
    expect(await parents()).toEqual([]);
  });
});

describe('an idempotency key', () => {
  test('is needed', async () => {
    for (const headers of [{}, { 'idempotency-key': '' }, { 'idempotency-key': 'a b' }] as Record<
      string,
      string
    >[]) {
      const json = { rows: [row(0)] };
      const answer = await app.ask('POST', '/api/imports/parents', { token: staff, json, headers });
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
    expect(await parents()).toEqual([]);
  });

  test('answers the same and does nothing twice, also at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(rowsTo(5), { key: 'once' })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    for (const { bytes } of answers) expect(bytes.equals(answers[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(await parents()).toHaveLength(5);
    expect(await app.outbox('parent-0@family.test')).toHaveLength(1);
    expect(await send(rowsTo(6), { key: 'once' })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    });
  });

  test('keeps no address in a readable form', async () => {
    await send(rowsTo(3), { key: 'sealed' });
    const kept = await app.context.db.selectFrom('idempotency_keys').selectAll().execute();
    expect(JSON.stringify(kept)).not.toMatch(/family\.test/);
  });

  test('of one facility is refused at another: it neither repeats the answer nor goes on with the import', async () => {
    const there = atFacility(app, await makeFacility(app, 'Second'));
    const ask = { json: { rows: rowsTo(2) }, headers: { 'idempotency-key': 'shared' } };
    const sendAt = async (at: TestApp) =>
      at.ask('POST', '/api/imports/parents', { ...ask, token: await app.staff() });
    const first = await sendAt(app);
    expect(first).toMatchObject({ status: 201, body: { created: 2 } });
    expect(await sendAt(there)).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    expect((await sendAt(app)).bytes.equals(first.bytes)).toBe(true);
    expect(await parents()).toHaveLength(2);
  });
});

test('two imports of the same people at once: one does it, the other is refused whole', async () => {
  const answers = await Promise.all([send(rowsTo(40)), send([row(99), ...rowsTo(40)])]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect([40, 41]).toContain((await parents()).length);
});

test('the invitations go out one after the other, and a reset is not kept waiting behind them', async () => {
  const family = await app.makeFamily();
  await send(rowsTo(60));
  const sent = async () => (await app.outbox()).filter(({ to }) => to.startsWith('parent-')).length;
  expect(await sent()).toBe(20);
  expect(await mails()).toBe(40);
  await app.ask('POST', '/vendor/forgot', { json: { email: family.email } });
  expect((await app.lastMail(family.email)).subject).toBe('Set a new password for Haris');
  app.clock.advance(10_000);
  await app.context.mails.settled();
  expect(await sent()).toBe(30);
  app.clock.advance(30_000);
  await app.context.mails.settled();
  expect(await sent()).toBe(60);
});

test('each parent has a row in the audit log, and the import has one', async () => {
  await send(rowsTo(3));
  const rows = await app.context.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', 'in', ['parent.created', 'parents.imported'])
    .orderBy('seq')
    .execute();
  expect(rows.map(({ action, details }) => [action, JSON.parse(details)])).toEqual([
    ['parents.imported', { rows: 3 }],
    ...Array(3).fill(['parent.created', { invited: true, imported: true }]),
  ]);
  expect(
    rows
      .slice(1)
      .map(({ subject_id }) => subject_id)
      .sort(),
  ).toEqual((await parents()).map(({ id }) => id).sort());
  expect(await verifyAuditTrail(app.context.db, app.context.vault)).toMatchObject({ whole: true });
});

test('the largest file is taken in portions: the desk goes on meanwhile, and who registers meanwhile is left out', async () => {
  const family = await app.makeFamily();
  const child = await app.makeChild(family);
  const long = (n: number) =>
    row(n, { name: 'ع'.repeat(100), email: `${'x'.repeat(200)}${n}@family.test`, phone: '01012345678' });
  const most = Array.from({ length: 2000 }, (_, n) => long(n));
  const isIn = async () => (await parents()).length - 1;
  const { audit, db } = app.context;
  const append = audit.appendAll;
  let portions = 0;
  const begun = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  const counted = vi.spyOn(audit, 'appendAll').mockImplementation((tx, facts) => {
    if (facts.length > 1 && ++portions === 2) begun.resolve();
    return append(tx, facts);
  });
  // Between its second and third portion the import waits for the desk, holding nothing of the database.
  const isImport = new AsyncLocalStorage<true>();
  const transaction = db.transaction.bind(db);
  const held = vi.spyOn(db, 'transaction').mockImplementation(() => {
    const builder = transaction();
    const execute = builder.execute.bind(builder);
    builder.execute = async (run) => {
      if (isImport.getStore() && portions >= 2) await mayGoOn.promise;
      return execute(run);
    };
    return builder;
  });
  const importing = isImport.run(true, () => send(most, { key: 'most' }));
  await begun.promise;
  const { email } = long(1999);
  const progress = async (token: string, key: string) => {
    const ask = { token, headers: { 'idempotency-key': key } };
    const body = await app.expect(200, 'GET', '/api/imports/parents/progress', ask);
    return importRoutes.getImportProgress.answer.parse(body).done;
  };
  await expect.poll(() => progress(staff, 'most')).toBeGreaterThan(0);
  // Nor are a colleague and another key told anything.
  const { token: colleague } = await app.makeEmployee();
  expect([await progress(colleague, 'most'), await progress(staff, 'other')]).toEqual([null, null]);
  // Both at once, while the second portion is written.
  await Promise.all([
    app.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token: staff }),
    app.expect(201, 'POST', '/api/parent/create-parent', { token: staff, json: { name: 'Quicker', email } }),
  ]);
  // The desk did not wait for the end of the import.
  expect(portions).toBe(2);
  mayGoOn.resolve();
  const imported = await importing;
  counted.mockRestore();
  held.mockRestore();
  expect(portions).toBeGreaterThan(2);
  expect(imported).toMatchObject({
    status: 201,
    body: {
      created: 1999,
      leftOut: [{ row: 1999, field: 'email', message: 'An account with this e-mail already exists' }],
    },
  });
  expect(await progress(staff, 'most')).toBeNull();
  expect((await send(most, { key: 'most' })).bytes.equals(imported.bytes)).toBe(true);
  expect(await isIn()).toBe(2000);
  expect((await send([...rowsTo(2001)])).body.message).toBe('A file may have up to 2000 rows');
  expect((await send([])).body.message).toBe('There is no row to import');
  expect((await send([row(1, { name: 'x'.repeat(3 * 1024 * 1024) })])).status).toBe(413);
});

test('an import that stops half-way says how far it came, and the same call again finishes it once', async () => {
  const { audit } = app.context;
  const append = audit.appendAll;
  let portions = 0;
  const failing = vi.spyOn(audit, 'appendAll').mockImplementation((tx, facts) => {
    if (facts.length > 1 && ++portions === 3) throw new Error('the disk is gone');
    return append(tx, facts);
  });
  const stopped = await send(rowsTo(60), { key: 'half' });
  failing.mockRestore();
  expect(stopped).toMatchObject({
    status: 503,
    body: {
      code: 'import_unfinished',
      message: 'The import stopped after 50 of 60 rows. Send it again: nobody is added twice.',
    },
  });
  expect(await parents()).toHaveLength(50);
  expect(await send(rowsTo(61), { key: 'half' })).toMatchObject({
    status: 409,
    body: { code: 'idempotency_key_reused' },
  });
  expect(await send(rowsTo(60), { key: 'half' })).toMatchObject({ status: 201, body: { created: 60 } });
  expect(await send(rowsTo(60), { key: 'half' })).toMatchObject({ status: 201, body: { created: 60 } });
  expect(await parents()).toHaveLength(60);
  expect(await app.outbox('parent-0@family.test')).toHaveLength(1);
  const rows = await app.context.db
    .selectFrom('audit_log')
    .select('action')
    .where('action', 'in', ['parent.created', 'parents.imported'])
    .execute();
  expect(rows.map(({ action }) => action).sort()).toEqual([
    ...Array(60).fill('parent.created'),
    'parents.imported',
  ]);
});

test('rows of another shape are 400', async () => {
  for (const odd of [
    null,
    {},
    'name',
    [null],
    [[]],
    [{ name: 'X' }],
    [{ ...row(1), phone: 12 }],
    [row(1), 7],
  ])
    expect((await send(odd)).status, JSON.stringify(odd)).toBe(400);
  expect((await send([row(1)], { language: 'fr' })).status).toBe(400);
});
