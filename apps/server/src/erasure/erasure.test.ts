/** Erased people stay erased after a restore, and after an older copy of the database was put back. */
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyAuditTrail } from '../db/audit.ts';
import { type FreshDatabase, freshDb, testDialect } from '../testing/database.ts';
import { fakePhoto } from '../testing/fake-vision.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../testing/harness.ts';
import { runServerProgram } from '../testing/server-programs.ts';
import { readErasures } from './record.ts';

const scratch = mkdtempSync(join(tmpdir(), 'haris-erasure-'));
const databases: FreshDatabase[] = [];
const recordOf = (dataDir: string) => join(dataDir, 'erasures.log');

async function makePlace(name: string): Promise<{ dataDir: string; env: Record<string, string> }> {
  const database = await freshDb();
  databases.push(database);
  const dataDir = join(scratch, name);
  return { dataDir, env: { DATA_DIR: dataDir, ...(database.url ? { DATABASE_URL: database.url } : {}) } };
}

async function withApp<T>(env: Record<string, string>, work: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await startTestApp({ config: env });
  return work(app).finally(() => app.close());
}

let place: Awaited<ReturnType<typeof makePlace>>;
let backup: string;
let recoveryKey: string;
let staffToken: string;
let gone: Family;
let stays: Family;
let dismissed: Employee;
let recognised: Employee;
let photos: { gone: string; goneAlone: string; kept: string };
let childInside: string;

beforeAll(async () => {
  place = await makePlace('first');
  backup = join(scratch, 'before.backup');
  await withApp(place.env, async (app) => {
    staffToken = await app.staff();
    [gone, stays] = [await app.makeFamily(), await app.makeFamily()];
    [dismissed, recognised] = [await app.makeEmployee(), await app.makeEmployee()];
    const inside = await app.makeChild(gone);
    childInside = inside._id;
    const alone = await app.makeChild(stays);
    photos = {
      gone: String(inside.photo),
      goneAlone: String(alone.photo),
      kept: String((await app.makeChild(stays)).photo),
    };
    await app.expect(200, 'PUT', '/api/admin/me/recognition', {
      token: recognised.token,
      form: { photo: fakePhoto({ face: 'an employee' }) },
    });
    await app.expect(200, 'POST', `/api/children/checkin-child/${inside._id}`, { token: staffToken });
    expect((await runServerProgram('backup', [backup], app.env)).code).toBe(0);
    recoveryKey = (await runServerProgram('backup', ['--recovery-key'], app.env)).text.split('\n')[0] ?? '';
    await app.expect(200, 'POST', `/api/children/checkout-child/${inside._id}`, { token: staffToken });
    await app.expect(200, 'DELETE', `/api/parent/delete-parent/${gone.id}`, { token: staffToken });
    await app.expect(200, 'DELETE', `/api/children/delete-child/${alone._id}`, { token: staffToken });
    await app.expect(200, 'DELETE', `/api/admin/delete-admin/${dismissed.id}`, { token: staffToken });
    await app.expect(200, 'DELETE', '/api/admin/me/recognition', { token: recognised.token });
    await app.expect(204, 'POST', '/api/logout', { token: staffToken });
  });
});
afterAll(async () => {
  for (const database of databases) await database.drop();
  rmSync(scratch, { recursive: true, force: true });
});

/** No data of the erased people can be seen or used; other people are unaffected. */
async function expectErased(app: TestApp): Promise<void> {
  for (const token of [staffToken, gone.token, dismissed.token])
    await app.expect(401, 'GET', '/api/children/get-all-children', { token });
  const token = await app.staff();
  for (const photo of [photos.gone, photos.goneAlone])
    expect((await app.ask('GET', photo, { token })).status).toBe(404);
  expect((await app.ask('GET', photos.kept, { token })).status).toBe(200);
  const { email, password } = gone;
  const login = '/api/parent/get-parent-by-email-and-password';
  expect((await app.ask('POST', login, { json: { email, password } })).status).toBe(401);
  const { admins } = await app.expect(200, 'GET', '/api/admin/get-all-admins', { token });
  expect(admins.map((admin) => admin._id)).not.toContain(dismissed.id);
  const { db, vault } = app.context;
  expect(await db.selectFrom('adult_faces').selectAll().execute()).toEqual([]);
  const ids = [gone.id, childInside, recognised.id];
  expect(await db.selectFrom('data_keys').selectAll().where('owner_id', 'in', ids).execute()).toEqual([]);
  const open = await db.selectFrom('stays').selectAll().where('exit_time', 'is', null).execute();
  expect(open).toEqual([]);
  expect(await verifyAuditTrail(db, vault)).toMatchObject({ whole: true });
}

test('the record outside the database has ids, and no name or address', () => {
  const text = readFileSync(recordOf(place.dataDir), 'utf8');
  expect(
    readErasures(place.dataDir)
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(['admin', 'adult_face', 'child', 'child', 'parent']);
  for (const secret of [gone.name, gone.email, dismissed.name, dismissed.email])
    expect(text).not.toContain(secret);
});

describe('a backup of before is restored', () => {
  test('into the same data folder: what was revoked and erased since stays so', async () => {
    const env = { ...place.env };
    if (testDialect === 'postgres') env.DATABASE_URL = String((await makePlace('unused')).env.DATABASE_URL);
    else
      for (const name of readdirSync(place.dataDir).filter((file) => file.startsWith('haris.db')))
        renameSync(join(place.dataDir, name), join(place.dataDir, `aside-${name}`));
    const restored = await runServerProgram('restore', [backup], env);
    // A child that was erased with its parent is a record of its own.
    expect(restored).toMatchObject({ code: 0, text: expect.stringContaining('5 people or faces') });
    await withApp(env, expectErased);
  });

  test('elsewhere, with the record copied there later: the next start erases', async () => {
    const other = await makePlace('other');
    const restored = await runServerProgram('restore', [backup], { ...other.env, RECOVERY_KEY: recoveryKey });
    expect(restored.code).toBe(0);
    await withApp(other.env, async (app) => {
      // This folder has no record of erasures; sessions and links are dead anyway.
      await app.expect(401, 'GET', '/api/parent/info', { token: gone.token });
      expect((await app.ask('GET', photos.gone, { token: await app.staff() })).status).toBe(200);
    });
    copyFileSync(recordOf(place.dataDir), recordOf(other.dataDir));
    await withApp(other.env, expectErased);
    // A second run erases nothing.
    await withApp(other.env, async (app) => {
      await expectErased(app);
      expect(app.logLines.join('\n')).not.toContain('it is erased now');
    });
  });
});

test('a line that was cut off loses no other, and what the file lacks is written at the next start', async () => {
  const { dataDir, env } = await makePlace('torn');
  const children = await withApp(env, async (app) => {
    const family = await app.makeFamily();
    const [one, two] = [await app.makeChild(family), await app.makeChild(family)];
    const token = await app.staff();
    await app.expect(200, 'DELETE', `/api/children/delete-child/${one._id}`, { token });
    appendFileSync(recordOf(dataDir), '\n{"kind":"child","id":"hal');
    await app.expect(200, 'DELETE', `/api/children/delete-child/${two._id}`, { token });
    return [one._id, two._id];
  });
  expect(readErasures(dataDir).map(({ id }) => id)).toEqual(children);
  rmSync(recordOf(dataDir));
  await withApp(env, async () => {});
  expect(
    readErasures(dataDir)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([...children].sort());
});
