/** A full disk: reads work, writes report it, no acknowledged write is lost, and the program neither dies nor hangs. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Family, startTestApp, type TestApp, testDialect } from './testing/harness.ts';
import { makeNursery, nurseryStaff } from './testing/nursery.ts';
import { NO_VISION, type Program, startProgram } from './testing/program.ts';
import { mountSmallDisk, type SmallDisk } from './testing/small-disk.ts';
import { openEvents } from './testing/sse.ts';

const disk = testDialect === 'sqlite' ? mountSmallDisk(24) : null;
afterAll(() => disk?.remove());

/** Reads that staff need in an evacuation. */
const STAFF_READS = [
  '/api/admin/info',
  '/api/children/get-all-children?inside=true&limit=200',
  '/api/evacuations/current',
  '/api/roll-call',
  '/api/visitors?inside=true',
  '/api/incidents',
  '/api/parent/get-all-parents',
  '/api/settings',
  '/api/cameras',
  '/api/sensors',
  '/api/setup',
  '/api/mail-server',
  '/api/health',
  '/api/search?q=a',
  '/api/kiosks',
  '/api/kiosk-requests',
  '/api/account/desk-pin',
];

describe.skipIf(disk === null)('a disk that is really full', () => {
  const dataDir = disk?.folder ?? '';
  const { fill = () => {}, free = () => {} }: Partial<SmallDisk> = disk ?? {};
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'info', ...nurseryStaff, ...NO_VISION };
  let program: Program;
  let token = '';

  async function ask(method: string, path: string, json?: unknown) {
    const answer = await fetch(program.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text) };
  }
  const entriesInside = async (): Promise<string[]> =>
    (await ask('GET', STAFF_READS[1] ?? '')).body.children.map(
      (child: { uniqueEntryId: string }) => child.uniqueEntryId,
    );
  async function readAll(): Promise<void> {
    for (const path of STAFF_READS) expect(await ask('GET', path), path).toMatchObject({ status: 200 });
  }
  /** Ages the session's last use by this much: each read then tries to record it. */
  function ageSessions(): void {
    const file = new DatabaseSync(join(dataDir, 'haris.db'), { timeout: 5_000 });
    file.exec('update sessions set last_seen_at = last_seen_at - 600000');
    file.exec('update kiosk_devices set last_used_at = null');
    file.close();
  }

  afterEach(async () => {
    program.kill('SIGKILL');
    await program.ended;
    free();
  });

  test('reads, roll call and stop go on; writes are 507; what was acknowledged is there afterwards', async () => {
    const children = await makeNursery(env, 40);
    program = await startProgram(env);
    const login = { email: nurseryStaff.ADMIN_EMAIL, password: nurseryStaff.ADMIN_PASSWORD };
    token = (await ask('POST', '/api/admin/login', login)).body.token;
    for (const id of children.slice(0, 3))
      expect((await ask('POST', `/api/children/checkin-child/${id}`)).status).toBe(200);
    const { evacuation } = (await ask('POST', '/api/evacuations', {})).body;
    const { kiosk } = (await ask('POST', '/api/kiosks', { name: 'Door' })).body;
    const { code } = (await ask('POST', `/api/kiosks/${kiosk._id}/pairing`)).body;
    const device = (await ask('POST', '/api/kiosk/pair', { code })).body.token;

    ageSessions();
    fill();
    // First uses up the space that SQLite has already allocated.
    let refused = { status: 0, body: {} };
    for (let round = 0; refused.status !== 507 && round < 200; round++)
      for (const id of children.slice(3))
        for (const act of ['checkin', 'checkout'] as const) {
          if (refused.status === 507) break;
          refused = await ask('POST', `/api/children/${act}-child/${id}`);
          expect([200, 507]).toContain(refused.status);
        }
    expect(refused).toMatchObject({ status: 507, body: { code: 'storage_full' } });
    const inside = await entriesInside();
    expect(inside.length).toBeGreaterThanOrEqual(3);

    await readAll();
    const headers = { authorization: `Bearer ${device}` };
    expect((await fetch(`${program.url}/api/kiosk`, { headers })).status).toBe(200);
    const tick = { childId: children[0], state: 'present', at: new Date().toISOString() };
    const writes: [string, string, unknown][] = [
      ['POST', `/api/evacuations/${evacuation._id}/ticks`, { device: 'desk', ticks: [tick] }],
      ['POST', '/api/parent/create-parent', { name: 'N', email: 'n@family.test', phone: '01012345678' }],
      ['POST', '/api/tickets', { for: 'sensors' }],
      ['POST', '/api/admin/login', login],
      ['PUT', '/api/settings', { incidentDays: 100 }],
      ['POST', '/api/visitors', { name: 'Visitor' }],
      // Reading the audit log appends a row.
      ['GET', '/api/audit', undefined],
    ];
    for (const [method, path, json] of writes)
      expect(await ask(method, path, json), path).toMatchObject({
        status: 507,
        body: { code: 'storage_full', message: expect.stringContaining('full') },
      });
    expect(await ask('GET', '/readyz')).toMatchObject({ status: 503, body: { parts: { database: 'full' } } });
    expect((await ask('GET', '/healthz')).status).toBe(200);
    expect(await entriesInside()).toEqual(inside);

    // After a power cut it starts without space, and still lists the children inside.
    program.kill('SIGKILL');
    await program.ended;
    program = await startProgram(env);
    await readAll();
    expect(await entriesInside()).toEqual(inside);
    program.kill('SIGTERM');
    expect(await program.ended).toEqual({ code: 0, signal: null });

    free();
    program = await startProgram(env);
    expect(await entriesInside()).toEqual(inside);
    expect((await ask('POST', '/api/admin/login', login)).status).toBe(200);
    await expect
      .poll(async () => (await ask('GET', '/readyz')).body.parts.database, { timeout: 240_000 })
      .toBe('ok');
    const file = new DatabaseSync(join(dataDir, 'haris.db'), { readOnly: true });
    expect(file.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    file.close();
  });

  test('a running server goes on by itself once there is room', async () => {
    program = await startProgram(env);
    const stream = await openEvents(Number(new URL(program.url).port), token);
    const told = () => stream.statuses;
    const status = (storage: string) => ({ type: 'status', storage, clock: 'ok' });
    ageSessions();
    fill();
    await expect
      .poll(async () => (await ask('GET', '/readyz')).body.parts.database, { timeout: 240_000 })
      .toBe('full');
    await expect.poll(told, { timeout: 240_000 }).toEqual([status('full')]);
    const late = await openEvents(Number(new URL(program.url).port), token);
    await expect.poll(() => late.statuses.length, { timeout: 240_000 }).toBe(1);
    await readAll();
    free();
    await expect
      .poll(async () => (await ask('GET', '/readyz')).body.parts.database, { timeout: 240_000 })
      .toBe('ok');
    await expect.poll(told, { timeout: 240_000 }).toEqual([status('full'), status('ok')]);
    expect((await ask('PUT', '/api/settings', { incidentDays: 100 })).status).toBe(200);
  });
});

describe('a database that takes no more', () => {
  let app: TestApp;
  let staff: string;
  let family: Family;
  let child: string;

  beforeAll(async () => {
    app = await startTestApp();
    staff = await app.staff();
    family = await app.makeFamily();
    child = (await app.makeChild(family))._id;
  });
  afterAll(() => app.close());

  /** Stops SQLite's file from growing; PostgreSQL raises the full disk's error for each row of the table. */
  async function fillUp(table: 'events' | 'sessions' | 'meta'): Promise<() => Promise<void>> {
    const { db } = app.context;
    if (testDialect === 'postgres') {
      await sql`create or replace function no_room() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(db);
      await sql`create trigger no_room before insert or update on ${sql.table(table)}
        for each row execute function no_room()`.execute(db);
      return async () => {
        await sql`drop trigger no_room on ${sql.table(table)}`.execute(db);
      };
    }
    await sql`pragma max_page_count = 1`.execute(db);
    return async () => {
      await sql`pragma max_page_count = 1000000`.execute(db);
    };
  }
  const outside = () =>
    app.expect(200, 'GET', `/api/children/get-all-children?inside=false`, { token: staff });

  test('a write that fails in its middle is 507 for staff, parents and visitors, and leaves nothing of itself', async () => {
    const makeRoom = await fillUp('events');
    // SQLite still has some free pages: anonymous requests use them up.
    const register = (email: string) => ({
      json: { name: 'N'.repeat(100), email, phone: '01012345678', password: 'secret-6' },
    });
    let sent = 0;
    let answer = await app.ask('POST', '/api/parent/add', register('n0@family.test'));
    while (answer.status === 201 && sent < 200)
      answer = await app.ask('POST', '/api/parent/add', register(`n${++sent}@family.test`));
    expect(answer).toMatchObject({ status: 507, body: { code: 'storage_full' } });
    const last = `n${sent}@family.test`;
    const found = `/api/parent/get-all-parents?search=${last}`;
    expect((await app.expect(200, 'GET', found, { token: staff })).total).toBe(0);
    expect(app.context.storage.isFull()).toBe(true);
    await makeRoom();
    await app.expect(201, 'POST', '/api/parent/add', register(last));
    expect((await app.expect(200, 'GET', found, { token: staff })).total).toBe(1);
  });

  if (testDialect === 'postgres')
    test('a check-in that cannot be told is no check-in', async () => {
      const makeRoom = await fillUp('events');
      const before = (await app.expect(200, 'GET', '/api/audit', { token: staff })).total;
      const url = `/api/children/checkin-child/${child}`;
      expect((await app.expect(507, 'POST', url, { token: staff })).code).toBe('storage_full');
      // Parents and visitors learn nothing about it.
      await app.expect(403, 'POST', url, { token: family.token });
      await app.expect(401, 'POST', url);
      expect((await outside()).total).toBe(1);
      // One more: the first read of the log appended a row.
      expect((await app.expect(200, 'GET', '/api/audit', { token: staff })).total).toBe(before + 1);
      await makeRoom();
      await app.expect(200, 'POST', url, { token: staff });
      await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: staff });
    });

  if (testDialect === 'postgres')
    test('whoever is signed in goes on reading, also beyond the hours after which an idle session ends', async () => {
      const makeRoom = await fillUp('sessions');
      for (let hour = 0; hour < 20; hour++) {
        app.clock.advance(3_600_000);
        await app.expect(200, 'GET', '/api/children/get-all-children', { token: staff });
        await app.expect(200, 'GET', '/api/parent/info', { token: family.token });
      }
      await app.expect(507, 'POST', '/api/admin/login', {
        json: { email: 'first@haris.test', password: 'first-password' },
      });
      await makeRoom();
      // An equally idle session still ends.
      app.clock.advance(13 * 3_600_000);
      await app.expect(401, 'GET', '/api/children/get-all-children', { token: staff });
      staff = await app.staff();
    });

  if (testDialect === 'postgres')
    test('readyz writes, says that the database is full, and that it is well again', async () => {
      const makeRoom = await fillUp('meta');
      const ready = async () => {
        const answer = await app.app.inject('/readyz');
        return { status: answer.statusCode, database: answer.json().parts.database };
      };
      await expect.poll(ready, { timeout: 240_000 }).toEqual({ status: 503, database: 'full' });
      expect((await app.app.inject('/healthz')).statusCode).toBe(200);
      await makeRoom();
      await expect.poll(ready, { timeout: 240_000 }).toEqual({ status: 200, database: 'ok' });
      expect(app.context.storage.isFull()).toBe(false);
    });
});
