/** Whoever can write to the database, but has no master key, can give nobody a session, a link or a device's place. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sealedColumns, sealedTables } from './db/row-seals.ts';
import { freshMigratedDb } from './testing/database.ts';
import { ADMIN_EMAIL, type Employee, type Family, startTestApp, type TestApp } from './testing/harness.ts';
import { makeKiosk } from './testing/kiosks.ts';
import { hashToken, randomToken } from './vault/vault.ts';

let app: TestApp;
let director: string;
let employee: Employee;
let family: Family;
let other: Family;

beforeAll(async () => {
  app = await startTestApp();
  const { admin } = await app.expect(200, 'GET', '/api/admin/info', { token: await app.staff() });
  director = admin._id;
  [family, other] = [await app.makeFamily(), await app.makeFamily()];
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.forgetLimits();
  employee = await app.makeEmployee();
});

const unauthenticated = { status: 401, body: { code: 'unauthenticated' } };
const info = (token: string) => app.ask('GET', '/api/admin/info', { token });

async function sealOfSession(token: string): Promise<string | null> {
  const row = await app.context.db
    .selectFrom('sessions')
    .select('seal')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirstOrThrow();
  return row.seal;
}

describe('a session that somebody wrote into the database', () => {
  test.each(['no seal', "another session's seal"])('signs nobody in: %s', async (kind) => {
    const token = randomToken();
    const now = app.clock.now();
    await app.context.db
      .insertInto('sessions')
      .values({
        token_hash: hashToken(token),
        kind: 'admin',
        account_id: director,
        created_at: now,
        last_seen_at: now,
        expires_at: now + 3_600_000,
        proved_at: now,
        seal: kind === 'no seal' ? null : await sealOfSession(employee.token),
      })
      .execute();
    expect(await info(token)).toMatchObject(unauthenticated);
    expect(await app.ask('GET', '/api/audit.csv', { token })).toMatchObject(unauthenticated);
    const { sessions } = await app.expect(200, 'GET', '/api/account/sessions', { token: await app.staff() });
    const { rows } = await sql<{ n: number }>`select count(*) as n from sessions
      where account_id = ${director} and seal is not null and seal <> ${await sealOfSession(employee.token)}`.execute(
      app.context.db,
    );
    expect(sessions).toHaveLength(Number(rows[0]?.n));
  });

  test.each(['account_id', 'proved_at', 'expires_at', 'factor'] as const)(
    'signs nobody in: a changed %s',
    async (column) => {
      const now = app.clock.now();
      const changed = {
        account_id: director,
        proved_at: now + 1,
        expires_at: now + 365 * 24 * 3_600_000,
        factor: 'second',
      };
      expect((await info(employee.token)).status).toBe(200);
      const here = sql`token_hash = ${hashToken(employee.token)}`;
      await sql`update sessions set ${sql.ref(column)} = ${changed[column]} where ${here}`.execute(
        app.context.db,
      );
      expect(await info(employee.token)).toMatchObject(unauthenticated);
      // Nor does a proof or a call repair it.
      const json = { password: employee.password };
      expect(await app.ask('POST', '/api/session/proof', { token: employee.token, json })).toMatchObject(
        unauthenticated,
      );
      expect(
        await app.ask('POST', '/api/tickets', { token: employee.token, json: { for: 'sensors' } }),
      ).toMatchObject(unauthenticated);
    },
  );

  test('still takes a proof and its use, which the server writes itself', async () => {
    const token = await app.signIn('admin', employee.email, employee.password);
    app.clock.advance(11 * 60_000);
    await app.expect(204, 'POST', '/api/session/proof', { token, json: { password: employee.password } });
    app.clock.advance(2 * 60_000);
    expect((await info(token)).status).toBe(200);
  });
});

describe('a mailed link', () => {
  const reset = (token: string) =>
    app.ask('POST', '/vendor/reset', { json: { token, password: 'a-new-password' } });

  test('that somebody wrote into the database sets no password', async () => {
    const token = randomToken();
    const now = app.clock.now();
    await app.context.db
      .insertInto('one_time_tokens')
      .values({
        token_hash: hashToken(token),
        purpose: 'reset',
        kind: 'admin',
        account_id: director,
        email: ADMIN_EMAIL,
        created_at: now,
        expires_at: now + 3_600_000,
        seal: null,
      })
      .execute();
    expect(await reset(token)).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
  });

  test('that was moved to another account sets no password', async () => {
    await app.expect(200, 'POST', '/vendor/forgot', { json: { email: family.email, isAdmin: false } });
    await expect.poll(async () => (await app.outbox(family.email)).length).toBeGreaterThan(0);
    const token = (await app.outbox(family.email)).at(-1)?.token ?? '';
    await app.context.db
      .updateTable('one_time_tokens')
      .set({ account_id: other.id, email: other.email })
      .where('token_hash', '=', hashToken(token))
      .execute();
    expect(await reset(token)).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
    await app.signIn('parent', other.email, other.password);
  });
});

test("a ticket that was moved to another's photo opens nothing", async () => {
  const [mine, theirs] = [await app.makeChild(family), await app.makeChild(other)];
  const photoOf = (child: { photo?: unknown }) => String(child.photo).split('/').at(-1) ?? '';
  const json = { for: 'photo', photoId: photoOf(mine) };
  const { ticket } = await app.expect(201, 'POST', '/api/tickets', { token: await app.staff(), json });
  await app.context.db
    .updateTable('tickets')
    .set({ subject_id: photoOf(theirs) })
    .where('ticket_hash', '=', hashToken(String(ticket)))
    .execute();
  expect((await app.ask('GET', `${String(theirs.photo)}?ticket=${String(ticket)}`)).status).toBe(401);
});

test('a device that was moved to another kiosk is none', async () => {
  const [here, there] = [await makeKiosk(app, 'Here'), await makeKiosk(app, 'There')];
  await app.expect(200, 'GET', '/api/kiosk', { token: here.token });
  const { db } = app.context;
  await db.deleteFrom('kiosk_devices').where('kiosk_id', '=', there.id).execute();
  await db
    .updateTable('kiosk_devices')
    .set({ kiosk_id: there.id })
    .where('token_hash', '=', hashToken(here.token))
    .execute();
  expect(await app.ask('GET', '/api/kiosk', { token: here.token })).toMatchObject(unauthenticated);
});

/** Columns that no seal covers: they change with use, only restrict a row further, or are sealed by themselves. */
const FREE: Readonly<Record<string, readonly string[]>> = {
  sessions: ['last_seen_at', 'agent', 'address'],
  factor_challenges: ['tries'],
  oidc_attempts: ['secrets_sealed'],
  kiosk_devices: ['last_used_at'],
  desk_tickets: ['ended_at'],
  camera_devices: ['connection'],
  collector_passes: ['used_stay_id', 'revoked_at'],
};

test.each(sealedTables)('the seal covers every column of %s that permits something', async (name) => {
  const tables = await app.context.db.introspection.getTables();
  const columns = tables.find((table) => table.name === name)?.columns.map((column) => column.name);
  expect([...sealedColumns[name], ...(FREE[name] ?? []), 'seal'].sort()).toEqual(columns?.sort());
});

describe('an installation of an older version', () => {
  test('goes on with its sessions, links and devices, and believes no row without a seal from then on', async () => {
    const database = await freshMigratedDb();
    const dataDir = mkdtempSync(join(tmpdir(), 'haris-old-rows-'));
    const config = { DATA_DIR: dataDir, ...(database.url ? { DATABASE_URL: database.url } : {}) };
    try {
      const before = await startTestApp({ config });
      const staff = await before.staff();
      const parent = await before.makeFamily();
      const kiosk = await makeKiosk(before);
      await before.expect(200, 'POST', '/vendor/forgot', { json: { email: parent.email, isAdmin: false } });
      await expect.poll(async () => (await before.outbox(parent.email)).length).toBeGreaterThan(0);
      const link = (await before.outbox(parent.email)).at(-1)?.token ?? '';
      const clock = before.clock;
      await forgetSeals(before);
      await before.close();

      const after = await startTestApp({ config, clock });
      expect((await after.ask('GET', '/api/admin/info', { token: staff })).status).toBe(200);
      expect((await after.ask('GET', '/api/parent/info', { token: parent.token })).status).toBe(200);
      expect((await after.ask('GET', '/api/kiosk', { token: kiosk.token })).status).toBe(200);
      const json = { token: link, password: 'a-new-password' };
      await after.expect(200, 'POST', '/vendor/reset', { json });
      // Somebody writes a row of the old form, and takes the mark of the first start away.
      await after.context.db.updateTable('sessions').set({ seal: null }).execute();
      await after.context.db.deleteFrom('meta').where('key', '=', 'rows_sealed').execute();
      expect((await after.ask('GET', '/api/admin/info', { token: staff })).status).toBe(401);
      await after.close();

      const later = await startTestApp({ config, clock });
      expect((await later.ask('GET', '/api/admin/info', { token: staff })).status).toBe(401);
      await later.close();
    } finally {
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

/** Puts database and data folder back to the state before the migration, and before those after it. */
async function forgetSeals({ context }: TestApp): Promise<void> {
  const { db } = context;
  for (const table of sealedTables) await db.schema.alterTable(table).dropColumn('seal').execute();
  for (const column of ['used_at', 'used_factor'])
    await db.schema.alterTable('oidc_links').dropColumn(column).execute();
  // The policy of `parents` reads `guardians`. The migration replaces it, so there must be one; which one is all the same here.
  if (context.dialect === 'postgres') {
    await sql`drop policy facility on parents`.execute(db);
    await sql`create policy facility on parents using (true)`.execute(db);
  }
  await db.schema.dropTable('guardians').execute();
  for (const table of ['head_count_children', 'head_counts']) await db.schema.dropTable(table).execute();
  for (const column of ['last_area', 'last_seen_at'])
    await db.schema.alterTable('incidents').dropColumn(column).execute();
  await db.schema.dropIndex('photos_bar').execute();
  await db.schema.alterTable('photos').dropColumn('bar_id').execute();
  await db.schema.dropIndex('photos_collector').execute();
  await db.schema.alterTable('photos').dropColumn('collector_id').execute();
  await db.schema.alterTable('events').dropColumn('audience').execute();
  await db.schema.alterTable('stays').dropColumn('end_kind').execute();
  await db.schema.alterTable('releases').dropColumn('unexpected_also').execute();
  for (const table of ['desk_tickets', 'desk_entries']) await db.schema.dropTable(table).execute();
  await db.schema.alterTable('stay_corrections').dropColumn('entry_time_before').execute();
  await sql`delete from kysely_migration where name >= '159-sealed-rows'`.execute(db);
  await db.deleteFrom('meta').where('key', '=', 'rows_sealed').execute();
  rmSync(join(context.config.dataDir, 'rows-sealed'), { force: true });
}
