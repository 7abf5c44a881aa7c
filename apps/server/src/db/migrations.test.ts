/** Migrations complete or change nothing: a start that fails half-way can be repeated. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLogger } from '@haris/runtime/log';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { accounts } from './migrations/075-accounts.ts';
import { homeRoomPerFacility } from './migrations/147-home-room-per-facility.ts';
import { emailChanges } from './migrations/157-email-changes.ts';
import { oidcUsed } from './migrations/160-oidc-used.ts';
import { guardians } from './migrations/162-guardians.ts';
import { guardiansTake } from './migrations/167-guardians-take.ts';
import { openDatabase } from './open.ts';
import { openSqlite } from './sqlite.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'haris-migrations-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

function inFile<T>(work: (file: DatabaseSync) => T): T {
  const file = new DatabaseSync(join(dataDir, 'haris.db'));
  try {
    return work(file);
  } finally {
    file.close();
  }
}

test('a migration that fails half-way leaves nothing of itself', async () => {
  const place = { databaseUrl: null, dataDir, log: createLogger('migrations', 'fatal') };
  // Blocks a migration that creates other tables first.
  inFile((file) => file.exec('create table incident_steps (stranger text)'));
  await expect(openDatabase(place)).rejects.toThrow(/incident_steps/);
  const tables = inFile((file) => file.prepare("select name from sqlite_schema where type = 'table'").all());
  expect(tables).not.toContainEqual({ name: 'incidents' });
  inFile((file) => file.exec('drop table incident_steps'));
  const opened = await openDatabase(place);
  await expect(opened.db.selectFrom('incidents').selectAll().execute()).resolves.toEqual([]);
  await opened.close();
});

test('of accounts that were there before, the audit log says who made them and whose password is trusted', async () => {
  const db = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: openSqlite(join(dataDir, 'before-075.db')) }),
  });
  for (const table of [
    'parents (id text, password_hash text)',
    'children (parent_id text)',
    'audit_log (action text, subject_id text, actor_kind text)',
  ])
    await sql`create table ${sql.raw(table)}`.execute(db);
  await sql`insert into parents values ('desk', 'h'), ('invited', null), ('own', 'h'), ('mother', 'h'), ('reset', 'h')`.execute(
    db,
  );
  await sql`insert into children values ('mother'), ('desk')`.execute(db);
  await sql`insert into audit_log values
    ('parent.created', 'desk', 'admin'), ('parent.created', 'invited', 'admin'), ('parent.created', 'own', null),
    ('parent.created', 'mother', null), ('parent.created', 'reset', null), ('parent.password_set', 'reset', null)`.execute(
    db,
  );
  await accounts.up(db);
  const rows = await db
    .withTables<{ parents: Record<string, string | null> }>()
    .selectFrom('parents')
    .select(['id', 'made_by', 'password_proof'])
    .orderBy('id')
    .execute();
  expect(rows).toEqual([
    { id: 'desk', made_by: 'staff', password_proof: 'staff' },
    { id: 'invited', made_by: 'staff', password_proof: null },
    { id: 'mother', made_by: 'self', password_proof: 'before' },
    { id: 'own', made_by: 'self', password_proof: null },
    { id: 'reset', made_by: 'self', password_proof: 'link' },
  ]);
  await db.destroy();
});

test('a password that a changed address left with children ends, with its sessions; others stay', async () => {
  const db = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: openSqlite(join(dataDir, 'before-157.db')) }),
  });
  for (const table of [
    'parents (id text, password_hash text, password_proof text, made_by text)',
    'children (parent_id text)',
    'sessions (kind text, account_id text)',
  ])
    await sql`create table ${sql.raw(table)}`.execute(db);
  await sql`insert into parents values ('moved', 'h', null, 'staff'), ('childless', 'h', null, 'staff'),
    ('proven', 'h', 'link', 'staff'), ('own', 'h', null, 'self')`.execute(db);
  await sql`insert into children values ('moved'), ('proven'), ('own')`.execute(db);
  await sql`insert into sessions values ('parent', 'moved'), ('admin', 'moved'), ('parent', 'proven')`.execute(
    db,
  );
  await emailChanges.up(db);
  const ended = await sql`select id from parents where password_hash is null`.execute(db);
  expect(ended.rows).toEqual([{ id: 'moved' }]);
  const left = await sql`select kind, account_id from sessions order by kind`.execute(db);
  expect(left.rows).toEqual([
    { kind: 'admin', account_id: 'moved' },
    { kind: 'parent', account_id: 'proven' },
  ]);
  await db.destroy();
});

test('a home room stays at the facility of its room, and at no other', async () => {
  const db = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: openSqlite(join(dataDir, 'before-147.db')) }),
  });
  for (const table of [
    'rooms (id text, facility_id text)',
    'children (id text, home_room_id text)',
    'child_facilities (child_id text, facility_id text)',
  ])
    await sql`create table ${sql.raw(table)}`.execute(db);
  await sql`insert into rooms values ('bees', 'main'), ('owls', 'moon')`.execute(db);
  await sql`insert into children values ('both', 'owls'), ('none', null), ('stranger', 'owls'), ('gone', 'x')`.execute(
    db,
  );
  await sql`insert into child_facilities values
    ('both', 'main'), ('both', 'moon'), ('none', 'main'), ('stranger', 'main'), ('gone', 'main')`.execute(db);
  await homeRoomPerFacility.up(db);
  const { rows } = await sql`select * from child_facilities order by child_id, facility_id`.execute(db);
  expect(rows).toEqual([
    { child_id: 'both', facility_id: 'main', home_room_id: null },
    { child_id: 'both', facility_id: 'moon', home_room_id: 'owls' },
    { child_id: 'gone', facility_id: 'main', home_room_id: null },
    { child_id: 'none', facility_id: 'main', home_room_id: null },
    { child_id: 'stranger', facility_id: 'main', home_room_id: null },
  ]);
  await db.destroy();
});

test('a link with a provider that was there before counts from the update, so that nobody is locked out of the desk', async () => {
  const db = new Kysely<{ oidc_links: { id: string; used_at: number; used_factor: number } }>({
    dialect: new SqliteDialect({ database: openSqlite(join(dataDir, 'before-160.db')) }),
  });
  await sql`create table oidc_links (id text)`.execute(db);
  await sql`insert into oidc_links values ('hana')`.execute(db);
  const before = Date.now();
  await oidcUsed.up(db as Kysely<unknown>);
  const link = await db.selectFrom('oidc_links').selectAll().executeTakeFirstOrThrow();
  expect(link).toEqual({ id: 'hana', used_at: expect.any(Number), used_factor: 0 });
  expect(link.used_at).toBeGreaterThanOrEqual(before);
  await db.destroy();
});

test('the account of a child that was there before is its guardian with all rights, since the child was added', async () => {
  const db = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: openSqlite(join(dataDir, 'before-162.db')) }),
  });
  await sql`create table children (id text, parent_id text, created_at integer)`.execute(db);
  await sql`insert into children values ('lina', 'mona', 7), ('omar', 'mona', 9), ('nour', 'huda', 8)`.execute(
    db,
  );
  await guardians('sqlite').up(db);
  const { rows } = await sql`select * from guardians order by added_at`.execute(db);
  const all = { may_live: 1, may_edit: 1, may_collect: 1, added_by: null, ended_at: null, ended_by: null };
  expect(rows).toEqual([
    { child_id: 'lina', parent_id: 'mona', ...all, added_at: 7, accepted_at: 7 },
    { child_id: 'nour', parent_id: 'huda', ...all, added_at: 8, accepted_at: 8 },
    { child_id: 'omar', parent_id: 'mona', ...all, added_at: 9, accepted_at: 9 },
  ]);
  await db.destroy();
});

test('the first guardian of a child that was there before may take it, and another one not until the desk says so', async () => {
  const db = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: openSqlite(join(dataDir, 'before-167.db')) }),
  });
  await sql`create table children (id text, parent_id text, created_at integer)`.execute(db);
  await sql`create table releases (stay_id text)`.execute(db);
  await sql`insert into children values ('lina', 'mona', 7), ('omar', 'karim', 9), ('nour', 'huda', 11)`.execute(
    db,
  );
  await guardians('sqlite').up(db);
  await sql`insert into guardians (child_id, parent_id, may_live, may_edit, may_collect, added_at, accepted_at)
    values ('lina', 'karim', 1, 1, 1, 10, 10)`.execute(db);
  await sql`update guardians set accepted_at = null where parent_id = 'huda'`.execute(db);
  await sql`insert into releases values ('stay')`.execute(db);
  await guardiansTake.up(db);
  const { rows } = await sql`select child_id, parent_id, may_take from guardians order by added_at`.execute(
    db,
  );
  expect(rows).toEqual([
    { child_id: 'lina', parent_id: 'mona', may_take: 1 },
    { child_id: 'omar', parent_id: 'karim', may_take: 1 },
    { child_id: 'lina', parent_id: 'karim', may_take: 0 },
    // First, and not accepted, as after a restore.
    { child_id: 'nour', parent_id: 'huda', may_take: 0 },
  ]);
  expect((await sql`select unexpected_also from releases`.execute(db)).rows).toEqual([
    { unexpected_also: '[]' },
  ]);
  await db.destroy();
});
