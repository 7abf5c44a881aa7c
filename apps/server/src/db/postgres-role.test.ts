/** The role that `compose.yaml` makes by `deploy/postgres-role.sql`: row-level security limits a server that uses it. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inFacility } from '../facility.ts';
import { atFacility, makeFacility } from '../testing/at-facility.ts';
import { asSuperuser, type FreshDatabase, freshDb, superuserUrl, testDialect } from '../testing/database.ts';
import { startTestApp, type TestApp } from '../testing/harness.ts';

const WARNING = 'skips row-level security';
const fileOf = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

describe.runIf(testDialect === 'postgres')('the role of the containers', () => {
  const role = `role_${randomBytes(6).toString('hex')}`;
  const password = `it's "${randomBytes(8).toString('hex')}"`;
  /** Keys and files, which one installation keeps. */
  let dataDir: string;
  let database: FreshDatabase;
  /** The database for a superuser, and for the role. */
  let urls: { readonly superuser: string; readonly role: string };

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'haris-role-'));
    database = await freshDb();
    const superuser = superuserUrl(String(database.url));
    const own = new URL(superuser);
    own.username = role;
    own.password = encodeURIComponent(password);
    urls = { superuser, role: own.href };
    await asSuperuser(`alter database ${own.pathname.slice(1)} owner to current_user`);
  });
  afterAll(async () => {
    await database.drop();
    await asSuperuser(`drop role ${role}`);
    rmSync(dataDir, { recursive: true });
  });

  const makeRole = () =>
    promisify(execFile)(
      'psql',
      ['--no-psqlrc', `--set=role=${role}`, `--file=${fileOf('deploy/postgres-role.sql')}`, urls.superuser],
      { env: { PATH: process.env.PATH, DATABASE_PASSWORD: password } },
    );
  const start = (url: string, folder = dataDir) =>
    startTestApp({ config: { DATABASE_URL: url, DATA_DIR: folder } });
  const isWarned = ({ logLines }: TestApp) => logLines.some((line) => line.includes(WARNING));
  const readVisitors = async ({ context }: TestApp, facility: string) => {
    const { rows } = await inFacility(facility, () =>
      sql<{ name: string }>`select name from visitors`.execute(context.db),
    );
    return rows.map(({ name }) => name);
  };

  test('takes over an installation of the superuser, whose facilities it then keeps apart', async () => {
    const before = await start(urls.superuser);
    expect(isWarned(before)).toBe(true);
    const second = await makeFacility(before, 'Second');
    for (const [at, name] of [
      [before, 'First visitor'],
      [atFacility(before, second), 'Second visitor'],
    ] as const)
      await at.expect(201, 'POST', '/api/visitors', { token: await before.staff(), json: { name } });
    const both = ['First visitor', 'Second visitor'];
    // The superuser gets past the second wall.
    expect((await readVisitors(before, second)).toSorted()).toEqual(both);
    await before.close();
    // At each start of the containers anew.
    for (let times = 0; times < 2; times++) expect(await makeRole()).toEqual({ stdout: '', stderr: '' });

    const after = await start(urls.role);
    expect(isWarned(after)).toBe(false);
    expect(await readVisitors(after, second)).toEqual(['Second visitor']);
    expect(await readVisitors(after, 'main')).toEqual(['First visitor']);
    const { rows } = await sql`select current_user as name`.execute(after.context.db);
    expect(rows).toEqual([{ name: role }]);
    const here = await after.expect(200, 'GET', '/api/visitors', { token: await after.staff() });
    expect(here).toMatchObject({ visitors: [{ name: 'First visitor' }], total: 1 });
    // Later migrations change tables, which needs their owner.
    await sql`alter table visitors add column extra text`.execute(after.context.db);
    await after.close();
  });

  test('is the role of the shipped settings, and makes the tables of a new installation itself', async () => {
    const settings = readFileSync(fileOf('deploy/postgres.env'), 'utf8');
    expect(settings).toMatch(
      /^DATABASE_URL=postgres:\/\/nursery:\$\{DATABASE_PASSWORD\}@postgres:5432\/haris$/m,
    );
    const compose = readFileSync(fileOf('compose.yaml'), 'utf8');
    expect(compose).toContain('--set=role=nursery --file=/postgres-role.sql');
    await asSuperuser(`drop database ${new URL(urls.superuser).pathname.slice(1)} with (force)`);
    await asSuperuser(`create database ${new URL(urls.superuser).pathname.slice(1)}`);
    await makeRole();
    const app = await start(urls.role, join(dataDir, 'new'));
    expect(isWarned(app)).toBe(false);
    await app.makeFamily();
    await app.close();
  });
});
