/** The next start migrates an installation from before staff had roles, and so does a restore of its backup. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@haris/runtime/log';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openInstallation } from '../installation.ts';
import { type FreshDatabase, freshDb, testDialect } from '../testing/database.ts';
import { startTestApp, type TestApp } from '../testing/harness.ts';
import { runServerProgram } from '../testing/server-programs.ts';
import { recoveryKeyOf } from '../vault/master-key.ts';
import { hashPassword } from '../vault/passwords.ts';
import { openVault } from '../vault/vault.ts';
import { openDatabase } from './open.ts';

const PASSWORD = 'at-the-desk-of-old';
const NATIONAL_ID = '29503120101234';
const people = [
  { id: 'director', email: 'director@haris.test', nationalId: null },
  { id: 'nadia', email: 'nadia@haris.test', nationalId: NATIONAL_ID },
  { id: 'samir', email: 'samir@haris.test', nationalId: '29503120101235' },
];

interface Place {
  readonly dataDir: string;
  readonly database: FreshDatabase;
  readonly env: Record<string, string>;
}

const scratch = mkdtempSync(join(tmpdir(), 'haris-staff-role-'));
const places: Place[] = [];
afterAll(async () => {
  for (const { database } of places) await database.drop();
  rmSync(scratch, { recursive: true, force: true });
});

async function makePlace(): Promise<Place> {
  const dataDir = mkdtempSync(join(scratch, 'place-'));
  const database = await freshDb();
  const place = {
    dataDir,
    database,
    env: { DATA_DIR: dataDir, ...(database.url ? { DATABASE_URL: database.url } : {}) },
  };
  places.push(place);
  return place;
}

/** Creates the schema of the last version with a table `admins`; returns the key for its backups. */
async function makeOldInstallation({ dataDir, database }: Place): Promise<string> {
  const opened = await openDatabase({
    databaseUrl: database.url ?? null,
    dataDir,
    log: createLogger('test', 'fatal'),
    upTo: '085-proposals',
  });
  const master = await openInstallation(opened.db, dataDir);
  const vault = openVault(master);
  const hash = await hashPassword(PASSWORD);
  for (const { id, email, nationalId } of people)
    await sql`insert into admins (id, name, email, password_hash, national_id_sealed, national_id_mac, email_verified,
        language, sort_name, search_text, created_at)
      values (${id}, ${id}, ${email}, ${hash}, ${nationalId && vault.seal(`national id ${id}`, Buffer.from(nationalId))},
        ${nationalId && vault.mac('national id', nationalId)}, 1, 'en', ${id}, ${id}, 0)`.execute(opened.db);
  await opened.close();
  return recoveryKeyOf(dataDir);
}

/** Checks everyone's role, and that their sign-ins work. */
async function expectStaff({ env }: Place): Promise<void> {
  const app = await startTestApp({ config: env });
  try {
    const { db } = app.context;
    const rows = await db.selectFrom('memberships').selectAll().orderBy('staff_id').execute();
    expect(rows.map(({ staff_id, facility_id, role_id }) => [staff_id, facility_id, role_id])).toEqual([
      ['director', '', 'owner'],
      ['nadia', 'main', 'manager'],
      ['samir', 'main', 'manager'],
    ]);
    const [token] = await Promise.all(people.map(({ email }) => app.signIn('admin', email, PASSWORD)));
    const { admins } = await app.expect(200, 'GET', '/api/admin/get-all-admins', { token });
    expect(admins.map(({ _id, nationalId }) => [_id, nationalId])).toEqual([
      ['director', null],
      ['nadia', '**********1234'],
      ['samir', '**********1235'],
    ]);
    await expectUnique(app, String(token));
  } finally {
    await app.close();
  }
}

async function expectUnique(app: TestApp, token: string): Promise<void> {
  const json = { name: 'New', email: 'new@haris.test', password: 'a-new-password', nationalId: NATIONAL_ID };
  const taken = await app.ask('POST', '/api/admin/create-admin', { token, json });
  expect(taken).toMatchObject({ status: 409, body: { code: 'national_id_taken' } });
  // The database enforces it too.
  for (const column of ['email', 'national_id_mac'])
    await expect(
      sql`update staff set ${sql.ref(column)} = (select ${sql.ref(column)} from staff where id = 'nadia')
        where id = 'samir'`.execute(app.context.db),
    ).rejects.toThrow();
}

test('the account without a national ID becomes the owner, the others managers; all sign in', async () => {
  const place = await makePlace();
  const recoveryKey = await makeOldInstallation(place);
  await expectStaff(place);

  // The backup from before this start's migration contains the old table.
  const [backup] = readdirSync(join(place.dataDir, 'backups')).filter((name) => name.startsWith('before-'));
  const target = await makePlace();
  const file = join(place.dataDir, 'backups', String(backup));
  const restored = await runServerProgram('restore', [file], { ...target.env, RECOVERY_KEY: recoveryKey });
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Restored \d+ rows/) });
  await expectStaff(target);
});

if (testDialect === 'postgres')
  test('constraints have the name of the new table', async () => {
    const place = await makePlace();
    await makeOldInstallation(place);
    const app = await startTestApp({ config: place.env });
    const { rows } = await sql<{ name: string }>`
      select conname as name from pg_constraint where conrelid = 'staff'::regclass
      union select indexname from pg_indexes where tablename = 'staff'`.execute(app.context.db);
    await app.close();
    const names = rows.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['staff_pkey', 'staff_email_key']));
    expect(names.filter((name) => !name.startsWith('staff_'))).toEqual([]);
  });
