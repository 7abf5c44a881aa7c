/** The audit log: complete, chained, append-only, and readable by staff. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import Papa from 'papaparse';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyAuditTrail } from '../../db/audit.ts';
import { toCursor } from '../../db/paging.ts';
import { loginPath, startTestApp, type TestApp, testDialect } from '../../testing/harness.ts';

let app: TestApp;
let staff: string;
beforeEach(async () => {
  app = await startTestApp();
  staff = await app.staff();
});
afterEach(() => app.close());

const verdict = () => verifyAuditTrail(app.context.db, app.context.vault);
/** The log without the rows about reading it. */
const entries = async (query = '') =>
  (await app.expect(200, 'GET', `/api/audit?limit=200${query}`, { token: staff })).entries.filter(
    ({ action }) => action !== 'audit.read',
  );

/** Acts as somebody with access to the database: disables the triggers. */
async function tamper(change: () => Promise<unknown>): Promise<void> {
  const { db } = app.context;
  if (testDialect === 'postgres') await sql`alter table audit_log disable trigger all`.execute(db);
  else
    for (const name of ['audit_log_no_update', 'audit_log_no_delete'])
      await sql`drop trigger ${sql.ref(name)}`.execute(db);
  await change();
}

test('has a row for each thing that staff do: who, what, whom, when, from where', async () => {
  const family = await app.makeFamily();
  const child = await app.makeChild(family);
  const { token, id: employeeId } = await app.makeEmployee();
  const done: [string, () => Promise<unknown>][] = [
    [
      'child.updated',
      () => app.expect(200, 'PUT', `/api/children/update-child/${child._id}`, { token, json: { name: 'N' } }),
    ],
    [
      'child.checked_in',
      () => app.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token }),
    ],
    [
      'child.checked_out',
      () => app.expect(200, 'POST', `/api/children/checkout-child/${child._id}`, { token }),
    ],
    ['photo.viewed', () => app.ask('GET', String(child.photo), { token })],
    [
      'parent.updated',
      () => app.expect(200, 'PUT', `/api/parent/update-parent/${family.id}`, { token, json: { name: 'N' } }),
    ],
    [
      'parent.marked_verified',
      () => app.expect(200, 'POST', `/api/parent/mark-verified/${family.id}`, { token }),
    ],
    [
      'settings.updated',
      () => app.expect(200, 'PUT', '/api/settings', { token, json: { recognitionMargin: 0.06 } }),
    ],
    ['child.deleted', () => app.expect(200, 'DELETE', `/api/children/delete-child/${child._id}`, { token })],
    ['parent.deleted', () => app.expect(200, 'DELETE', `/api/parent/delete-parent/${family.id}`, { token })],
    ['admin.signed_out', () => app.ask('POST', '/api/logout', { token })],
  ];
  for (const [action, act] of done) {
    app.clock.advance(1000);
    await act();
    const [newest] = await entries();
    expect(newest, action).toMatchObject({
      action,
      at: new Date(app.clock.now()).toISOString(),
      actor: { kind: 'admin', id: employeeId, name: expect.stringMatching(/^Employee/) },
      from: '127.0.0.1',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(newest?.subject === null).toBe(action === 'settings.updated');
  }
  const actions = (await entries()).map(({ action }) => action);
  for (const action of [
    'parent.created',
    'child.created',
    'admin.created',
    'admin.signed_in',
    'admin.email_verified',
  ])
    expect(actions).toContain(action);
  expect(await verdict()).toMatchObject({ whole: true });
});

test('keeps no name, mail or phone of a family', async () => {
  const family = await app.makeFamily({
    name: 'Unforgettable',
    email: 'unforgettable@family.test',
    phone: '01098989898',
  });
  await app.makeChild(family, 'Unforgettable Child');
  await app.expect(200, 'DELETE', `/api/parent/delete-parent/${family.id}`, { token: staff });
  const rows = await app.context.db.selectFrom('audit_log').selectAll().execute();
  expect(JSON.stringify(rows)).not.toMatch(/unforgettable|98989898/i);
});

test('filters by time, actor and subject', async () => {
  const family = await app.makeFamily();
  const { admin } = await app.expect(200, 'GET', '/api/admin/info', { token: staff });
  app.clock.advance(60_000);
  const from = new Date(app.clock.now()).toISOString();
  await app.expect(200, 'POST', `/api/parent/mark-verified/${family.id}`, { token: staff });
  app.clock.advance(60_000);
  await app.expect(200, 'POST', `/api/parent/mark-verified/${family.id}`, { token: staff });
  const to = new Date(app.clock.now()).toISOString();
  expect(await entries(`&from=${from}`)).toHaveLength(2);
  expect(await entries(`&from=${from}&to=${to}`)).toHaveLength(1);
  expect(await entries(`&from=${encodeURIComponent(from.replace('Z', '+00:00'))}`)).toHaveLength(2);
  expect((await entries(`&subject=${family.id}`)).map(({ action }) => action)).toEqual([
    'parent.marked_verified',
    'parent.marked_verified',
    'parent.marked_verified',
    'parent.created',
  ]);
  expect((await entries(`&actor=${admin._id}`)).length).toBeGreaterThan(4);
  expect(await entries('&actor=nobody')).toEqual([]);
  // Days are those of the facility, both inclusive.
  await app.expect(200, 'PUT', '/api/settings', { token: staff, json: { timeZone: 'Pacific/Kiritimati' } });
  for (const [query, count] of [
    ['from=2026-11-20&to=2026-11-20', 3],
    ['from=2026-11-21', 0],
    ['to=2026-11-19', 0],
    ['to=2026-11-20', 3],
  ] as const)
    expect(await entries(`&${query}&subject=${family.id}&search=marked`), query).toHaveLength(count);
  for (const odd of ['from=yesterday', 'to=2026-13-01', 'from=', `actor=${'x'.repeat(101)}`])
    expect((await app.ask('GET', `/api/audit?${odd}`, { token: staff })).status, odd).toBe(400);
  expect([200, 400]).toContain((await app.ask('GET', '/api/audit?actor=%00', { token: staff })).status);
});

test('has the present names and photos of people, and finds rows by them', async () => {
  const family = await app.makeFamily({ name: 'Mona Hassan' });
  const child = await app.makeChild(family, 'Layla Hassan');
  await app.makeChild(await app.makeFamily({ name: 'Sara Ali' }), 'Omar Ali');
  await app.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token: staff });
  const [newest] = await entries('&search=layla');
  expect(newest).toMatchObject({
    action: 'child.checked_in',
    actor: { kind: 'admin', name: 'Administrator' },
    subject: { kind: 'child', id: child._id, name: 'Layla Hassan', photo: child.photo },
  });
  expect((await entries('&search=omar')).map(({ subject }) => subject?.name)).toEqual(['Omar Ali']);
  expect((await entries('&search=mona%20hassan')).every(({ subject }) => subject?.id === family.id)).toBe(
    true,
  );
  expect(await entries('&search=checked%20in')).toHaveLength(1);
  await app.expect(200, 'POST', `/api/children/checkout-child/${child._id}`, { token: staff });
  await app.expect(200, 'DELETE', `/api/parent/delete-parent/${family.id}`, { token: staff });
  expect(await entries('&search=layla')).toEqual([]);
  const [deleted] = await entries(`&subject=${child._id}`);
  expect(deleted?.subject).toEqual({ kind: 'child', id: child._id, name: null, photo: null });
});

test('finds people with typing errors, in both scripts and by a name of that time, as their lists do', async () => {
  const find = async (search: string) =>
    (await entries(`&search=${encodeURIComponent(search)}`)).map(({ subject }) => subject?.name);
  await app.makeChild(await app.makeFamily({ name: 'Mona Hassan', phone: '01055566677' }), 'Layla Hassan');
  await app.makeChild(await app.makeFamily({ name: 'سارة علي' }), 'آدم علي');
  for (const typed of ['lyala', 'ليلى', 'hassan layla'])
    expect(new Set(await find(typed)), typed).toEqual(new Set(['Layla Hassan']));
  for (const typed of ['adam ali', 'ادم علي'])
    expect(new Set(await find(typed)), typed).toEqual(new Set(['آدم علي']));
  // The family's phone number is not in the log, and whoever reads the log may not see it.
  expect(await find('01055566677')).toEqual([]);
  const { token, id } = await app.makeEmployee({ name: 'Salma Adel' });
  const family = await app.makeFamily({ name: 'Nour Fathy' });
  await app.expect(200, 'POST', `/api/parent/mark-verified/${family.id}`, { token });
  await app.expect(200, 'DELETE', `/api/admin/delete-admin/${id}`, { token: staff });
  for (const typed of ['salma adle', 'سلمى']) expect(await find(typed), typed).toContain('Nour Fathy');
});

test('finds nobody by a typing error if an action has the word', async () => {
  const phito = await app.makeChild(await app.makeFamily({ name: 'Mona Hassan' }), 'Phito Hassan');
  const other = await app.makeChild(await app.makeFamily({ name: 'Sara Ali' }), 'Omar Ali');
  await app.ask('GET', String(other.photo), { token: staff });
  const found = await entries('&search=photo');
  expect(found.map(({ action }) => action)).toContain('photo.viewed');
  expect(found.filter(({ action }) => !action.includes('photo'))).toEqual([]);
  expect((await entries('&search=phtio')).map(({ subject }) => subject?.id)).toContain(phito._id);
});

test('has the names of devices, and finds their rows by them', async () => {
  const { kiosk } = await app.expect(201, 'POST', '/api/kiosks', {
    token: staff,
    json: { name: 'Entrance' },
  });
  const [row] = await entries('&search=entrance');
  expect(row?.subject).toEqual({ kind: 'kiosk', id: kiosk._id, name: 'Entrance', photo: null });
  const { account } = await app.expect(201, 'POST', '/api/home-assistant-accounts', {
    token: staff,
    json: { name: 'Hall panel' },
  });
  const [made] = await entries(`&subject=${account._id}`);
  expect(made?.subject?.name).toBe('Hall panel');
});

test('has the room of an alert as its name; one about the whole place has none', async () => {
  const { evacuation } = await app.expect(201, 'POST', '/api/evacuations', { token: staff });
  const [row] = await entries(`&subject=${evacuation._id}`);
  expect(row?.subject).toEqual({ kind: 'incident', id: evacuation._id, name: null, photo: null });
  await app.context.db.updateTable('incidents').set({ area: 'Nap room' }).execute();
  const [there] = await entries(`&subject=${evacuation._id}`);
  expect(there).toMatchObject({ subject: { name: 'Nap room' }, details: { kind: 'evacuation' } });
});

test('is filtered by the kind of action', async () => {
  const family = await app.makeFamily();
  const child = await app.makeChild(family);
  await app.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token: staff });
  await app.ask('GET', String(child.photo), { token: staff });
  const actions = async (kind: string) =>
    new Set((await entries(`&kind=${kind}`)).map(({ action }) => action));
  expect(await actions('attendance')).toEqual(new Set(['child.checked_in']));
  expect(await actions('families')).toContain('child.created');
  expect(await actions('views')).toEqual(new Set(['photo.viewed']));
  const changes = await actions('changes');
  for (const action of ['child.checked_in', 'child.created']) expect(changes).toContain(action);
  expect(changes).not.toContain('photo.viewed');
  expect((await app.ask('GET', '/api/audit?kind=secrets', { token: staff })).status).toBe(400);
});

test('a reading is a row of its own, once in a quarter of an hour for the same question', async () => {
  const readings = async () =>
    (
      await app.context.db
        .selectFrom('audit_log')
        .select(['actor_name', 'details'])
        .where('action', '=', 'audit.read')
        .orderBy('seq')
        .execute()
    ).map(({ actor_name, details }) => ({ actor_name, ...JSON.parse(details) }));
  const read = (query: string) => app.expect(200, 'GET', `/api/audit?${query}`, { token: staff });
  await read('limit=2');
  const { nextCursor } = await read('limit=2');
  await read(`limit=2&cursor=${nextCursor}`);
  expect(await readings()).toEqual([{ actor_name: 'Administrator' }]);
  await read('subject=somebody');
  await read('search=Mona');
  expect((await readings()).slice(1)).toEqual([
    { actor_name: 'Administrator', subject: 'somebody' },
    // The search text may be a name, so it is not recorded.
    { actor_name: 'Administrator', searched: true },
  ]);
  app.clock.advance(15 * 60_000);
  await read('limit=2');
  expect(await readings()).toHaveLength(4);
  const { token } = await app.makeEmployee();
  await app.expect(200, 'GET', '/api/audit?limit=2', { token });
  expect((await readings()).at(-1)?.actor_name).toMatch(/^Employee/);
});

describe('a failed sign-in', () => {
  const failures = async () =>
    (
      await app.context.db
        .selectFrom('audit_log')
        .selectAll()
        .where('action', 'like', '%.sign_in_failed')
        .orderBy('seq')
        .execute()
    ).map(({ action, actor_id, subject_kind, subject_id, from_address, details }) => ({
      action,
      actor_id,
      subject: subject_id && `${subject_kind} ${subject_id}`,
      from_address,
      reason: JSON.parse(details).reason,
    }));
  const signIn = (kind: keyof typeof loginPath, email: string, password: string) =>
    app.ask('POST', loginPath[kind], { json: { email, password }, from: '10.1.2.3' });

  test('is a row about the account, where there is one, and keeps nothing that was typed', async () => {
    const family = await app.makeFamily();
    const { admin } = await app.expect(200, 'GET', '/api/admin/info', { token: staff });
    await signIn('parent', family.email, 'typed-by-mistake');
    await signIn('admin', admin.email, 'typed-by-mistake');
    await signIn('parent', 'typed-nobody@family.test', 'typed-by-mistake');
    const row = { actor_id: null, from_address: '10.1.2.3', reason: 'invalid_credentials' };
    expect(await failures()).toEqual([
      { ...row, action: 'parent.sign_in_failed', subject: `parent ${family.id}` },
      { ...row, action: 'admin.sign_in_failed', subject: `admin ${admin._id}` },
      { ...row, action: 'parent.sign_in_failed', subject: null },
    ]);
    const rows = await app.context.db.selectFrom('audit_log').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/typed-/);
    expect(await verdict()).toMatchObject({ whole: true });
  });

  test('before the e-mail is verified says so; those that the throttle refuses are not counted again', async () => {
    const json = { name: 'N', email: 'new@family.test', phone: '01012345678', password: 'secret-6' };
    await app.expect(201, 'POST', '/api/parent/add', { json });
    expect((await signIn('parent', 'new@family.test', 'secret-6')).status).toBe(403);
    expect((await failures()).map(({ reason }) => reason)).toEqual(['email_not_verified']);
    for (let n = 0; n < 8; n++) await signIn('parent', 'nobody@family.test', 'wrong');
    expect(await failures()).toHaveLength(6);
  });
});

describe('as CSV', () => {
  const csv = async (query = '') => {
    const answer = await app.ask('GET', `/api/audit.csv?${query}`, { token: staff });
    expect(answer.status).toBe(200);
    const text = answer.bytes.toString('utf8');
    expect(text.startsWith('\ufeff')).toBe(true);
    const { data } = Papa.parse<string[]>(text.slice(1), { newline: '\r\n', skipEmptyLines: true });
    const [header = [], ...rows] = data;
    expect(answer.headers['x-total-rows']).toBe(String(rows.length));
    return { header, rows, answer };
  };

  test('has every row, oldest first, and is a row itself', async () => {
    await app.expect(200, 'PUT', '/api/settings', { token: staff, json: { timeZone: 'Africa/Cairo' } });
    await app.makeFamily();
    const before = await app.context.db.selectFrom('audit_log').selectAll().orderBy('seq').execute();
    const { header, rows, answer } = await csv('language=en');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit-log-2026-11-20.csv"',
      'cache-control': 'no-store',
    });
    expect(header.slice(0, 3)).toEqual(['Row', 'Time (Africa/Cairo)', 'Time (UTC)']);
    expect(rows.map(([seq]) => Number(seq))).toEqual(before.map(({ seq }) => seq));
    expect(rows.at(-1)?.slice(1, 5)).toEqual([
      '2026-11-20 10:00:00',
      '2026-11-20T08:00:00.000Z',
      'admin',
      'Administrator',
    ]);
    const [newest] = await entries();
    expect(newest).toMatchObject({ action: 'audit.exported', details: { rows: before.length } });
    expect((await csv('language=ar')).header[0]).toBe('رقم السطر');
  });

  test('takes the filters of the list', async () => {
    const family = await app.makeFamily();
    app.clock.advance(60_000);
    const from = new Date(app.clock.now()).toISOString();
    await app.expect(200, 'POST', `/api/parent/mark-verified/${family.id}`, { token: staff });
    expect((await csv(`from=${from}&subject=${family.id}`)).rows).toHaveLength(1);
    expect((await csv(`subject=${family.id}`)).rows).toHaveLength(3);
    expect((await csv('subject=nobody')).rows).toEqual([]);
    expect((await csv('search=marked_verified')).rows).toHaveLength(2);
    expect((await app.ask('GET', '/api/audit.csv?from=x', { token: staff })).status).toBe(400);
  });

  test('cannot make a spreadsheet calculate', async () => {
    const names = ['=1+1', '+1', '-1', '@SUM(A1)', '＝1'];
    for (const [n, name] of names.entries()) {
      const { token } = await app.makeEmployee({ name, email: `evil${n}@haris.test` });
      await app.ask('POST', '/api/logout', { token });
    }
    const { rows } = await csv('search=signed_out');
    expect(rows.map((row) => row[4])).toEqual(names.map((name) => `'${name}`));
  });
});

test('a cursor that was tampered with is 400', async () => {
  const token = staff;
  await app.makeEmployee();
  const { nextCursor } = await app.expect(200, 'GET', '/api/audit?limit=1', { token });
  const list = (cursor: string) => app.ask('GET', `/api/audit?limit=1&cursor=${cursor}`, { token });
  expect((await list(String(nextCursor))).status).toBe(200);
  for (const row of ['x', '0', '-1', '1e3', '1.5', ' 1', '9'.repeat(16), '1; drop table audit_log', ''])
    expect(await list(toCursor(['', row])), row).toMatchObject({
      status: 400,
      body: { message: 'cursor is not one that was given' },
    });
});

describe('the chain', () => {
  test('is whole, also after a hundred things at once', async () => {
    const family = await app.makeFamily();
    const ids: string[] = [];
    for (let i = 0; i < 10; i++) ids.push((await app.makeChild(family))._id);
    for (let round = 0; round < 5; round++)
      await Promise.all(
        ids.map((id) =>
          app.expect(200, 'POST', `/api/children/${round % 2 ? 'checkout' : 'checkin'}-child/${id}`, {
            token: staff,
          }),
        ),
      );
    const seen = await verdict();
    expect(seen).toMatchObject({ whole: true });
    const rows = await app.context.db.selectFrom('audit_log').select('seq').orderBy('seq').execute();
    expect(rows.map(({ seq }) => Number(seq))).toEqual(rows.map((_, i) => i + 1));
    expect(seen).toEqual({ whole: true, rows: rows.length });
  });

  test('the database refuses to change or remove a row', async () => {
    const { db } = app.context;
    await expect(
      db.updateTable('audit_log').set({ action: 'x' }).where('seq', '=', 1).execute(),
    ).rejects.toThrow(/append-only/);
    await expect(db.deleteFrom('audit_log').where('seq', '=', 1).execute()).rejects.toThrow(/append-only/);
    if (testDialect === 'postgres')
      await expect(sql`truncate audit_log`.execute(db)).rejects.toThrow(/append-only/);
    expect(await verdict()).toMatchObject({ whole: true });
  });

  test('names the row of which anything was changed', async () => {
    await app.makeFamily();
    await tamper(async () => {});
    const { db } = app.context;
    const set = (change: object) => db.updateTable('audit_log').set(change).where('seq', '=', 3).execute();
    const { seq: _, ...row } = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('seq', '=', 3)
      .executeTakeFirstOrThrow();
    for (const [column, value] of Object.entries(row)) {
      await set({ [column]: typeof value === 'number' ? value + 1 : `${value ?? ''} ` });
      expect(await verdict(), column).toEqual({ whole: false, seq: 3, reason: 'the row was changed' });
      await set({ [column]: value });
      expect(await verdict(), column).toMatchObject({ whole: true });
    }
  });

  test('names the row that was removed', async () => {
    await app.makeFamily();
    await tamper(() => app.context.db.deleteFrom('audit_log').where('seq', '=', 2).execute());
    expect(await verdict()).toEqual({ whole: false, seq: 2, reason: 'the row is missing' });
  });

  test('names the first row that was cut off the end', async () => {
    await app.makeFamily();
    const whole = await verdict();
    const last = whole.whole ? whole.rows : 0;
    await tamper(() =>
      app.context.db
        .deleteFrom('audit_log')
        .where('seq', '>=', last - 1)
        .execute(),
    );
    expect(await verdict()).toEqual({ whole: false, seq: last - 1, reason: 'the row is missing' });
  });

  test('notices a tail that was cut off together with the head', async () => {
    await app.makeFamily();
    await tamper(async () => {
      const { db } = app.context;
      await db.deleteFrom('audit_log').where('seq', '>', 2).execute();
      const { hash } = await db
        .selectFrom('audit_log')
        .select('hash')
        .where('seq', '=', 2)
        .executeTakeFirstOrThrow();
      await db.updateTable('audit_head').set({ seq: 2, hash }).execute();
    });
    expect(await verdict()).toEqual({ whole: false, seq: 2, reason: 'the head of the chain was changed' });
  });

  test('notices rows that were emptied out altogether, and a head that is gone', async () => {
    await tamper(async () => {
      await app.context.db.deleteFrom('audit_log').execute();
      await app.context.db.updateTable('audit_head').set({ seq: 0, hash: '' }).execute();
    });
    expect(await verdict()).toMatchObject({ whole: false });
    await app.context.db.deleteFrom('audit_head').execute();
    expect(await verdict()).toMatchObject({ whole: false, reason: 'the head of the chain is missing' });
  });
});

test('npm run audit:verify says that it is whole, or which row is not', async () => {
  await app.makeFamily();
  const program = fileURLToPath(new URL('../../audit-verify.ts', import.meta.url));
  const run = (env: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program], {
      env: { PATH: process.env.PATH, ...app.env, ...env },
      encoding: 'utf8',
      cwd: app.dataDir,
    });
    return { status, text: `${stdout}${stderr}` };
  };
  const whole = await verdict();
  expect(run()).toEqual({
    status: 0,
    text: `The audit log is whole: ${whole.whole ? whole.rows : '?'} rows.\n`,
  });
  await tamper(() =>
    app.context.db.updateTable('audit_log').set({ action: 'x' }).where('seq', '=', 2).execute(),
  );
  expect(run()).toEqual({
    status: 1,
    text: 'The audit log is broken at row 2: the row was changed.\n',
  });
  expect(run({ DATA_DIR: '/nowhere/at/all' }).status).toBe(2);
  expect(run({ DATABASE_URL: 'mysql://db' })).toMatchObject({
    status: 2,
    text: expect.stringMatching(/^DATABASE_URL must be /),
  });
});
