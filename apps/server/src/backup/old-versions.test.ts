/** Data folders and backups of older versions are opened, restored and worked with. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { makeClock } from '../testing/clock.ts';
import { type FreshDatabase, freshDb, testDialect } from '../testing/database.ts';
import { startTestApp, type TestApp } from '../testing/harness.ts';
import {
  OLD_INSTALLATIONS,
  type OldInstallation,
  readOldInstallation,
  unpackInto,
} from '../testing/old-installation.ts';
import { runServerProgram } from '../testing/server-programs.ts';

const scratch: string[] = [];
const databases: FreshDatabase[] = [];
afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop();
  for (const folder of scratch.splice(0)) rmSync(folder, { recursive: true });
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'haris-old-version-'));
  scratch.push(folder);
  return folder;
}

/** A copy of the data folder. */
function unpack(fixture: OldInstallation): string {
  const folder = makeFolder();
  unpackInto(folder, fixture);
  return folder;
}

/** Starts this version there, an hour after the old one stopped. */
async function withApp(
  fixture: OldInstallation,
  env: Readonly<Record<string, string>>,
  work: (app: TestApp) => Promise<void>,
): Promise<void> {
  const app = await startTestApp({ clock: makeClock(fixture.now + 3_600_000), config: env });
  await work(app).finally(() => app.close());
}

/** What those versions did not know yet: one facility with its rooms, and a role for each person. */
async function expectThePlaces(
  app: TestApp,
  { admin, employee }: OldInstallation,
  token: string,
): Promise<void> {
  expect(await app.expect(200, 'GET', '/api/facilities', { token })).toMatchObject({
    facilities: [{ _id: 'main' }],
    current: 'main',
  });
  const { rooms } = await app.expect(200, 'GET', '/api/rooms', { token });
  expect(
    rooms.map(({ name, isDefault, children, sensors }) => ({ name, isDefault, children, sensors })),
  ).toEqual([
    { name: 'Main room', isDefault: true, children: 1, sensors: 0 },
    { name: 'Playroom', isDefault: false, children: 0, sensors: 1 },
  ]);
  const { admins } = await app.expect(200, 'GET', '/api/admin/get-all-admins?limit=200', { token });
  const rolesOf = ({ email, roles }: (typeof admins)[number]) => [email, roles];
  expect(Object.fromEntries(admins.map(rolesOf))).toEqual({
    [admin.email]: [{ roleId: 'owner', name: null, facilityId: null }],
    [employee.email]: [{ roleId: 'manager', name: null, facilityId: 'main' }],
  });
  const { roles } = await app.expect(200, 'GET', '/api/roles', { token });
  const members = roles.filter((role) => role.members > 0).map((role) => [role._id, role.members]);
  expect(Object.fromEntries(members)).toEqual({ owner: 1, manager: 1 });
}

/** The account of those versions is the guardian of its children, so that it sees them as before. */
async function expectTheGuardians(app: TestApp, { parent, inside, gone }: OldInstallation): Promise<void> {
  const token = await app.signIn('parent', parent.email, parent.password);
  const { children } = await app.expect(200, 'GET', '/api/children/get-all-children', { token });
  expect(children.map(({ _id }) => _id).toSorted()).toEqual([inside, gone].toSorted());
  for (const id of [inside, gone]) await app.expect(200, 'GET', `/api/children/${id}/care-card`, { token });
}

async function expectTheHouse(app: TestApp, fixture: OldInstallation, hasReadings: boolean): Promise<void> {
  const token = await app.signIn('admin', fixture.admin.email, fixture.admin.password);
  const { children } = await app.expect(200, 'GET', '/api/children/get-all-children?limit=200', { token });
  expect(children.map(({ _id, name, isInside }) => ({ _id, name, isInside }))).toEqual(
    expect.arrayContaining([
      { _id: fixture.inside, name: 'Sara', isInside: true },
      { _id: fixture.gone, name: 'Omar', isInside: false },
    ]),
  );
  expect(children).toHaveLength(2);
  for (const { _id, photo } of children) {
    const { status, bytes } = await app.ask('GET', String(photo), { token });
    expect({ status, photo: bytes.toString('base64') }).toEqual({ status: 200, photo: fixture.photos[_id] });
  }
  await expectThePlaces(app, fixture, token);
  await expectTheGuardians(app, fixture);
  const { parents } = await app.expect(200, 'GET', '/api/parent/get-all-parents?limit=200', { token });
  expect(parents).toEqual([expect.objectContaining({ name: 'Mona', email: fixture.parent.email })]);

  const { incidents } = await app.expect(200, 'GET', '/api/incidents?state=all&limit=200', { token });
  expect(incidents).toContainEqual(
    expect.objectContaining({ _id: fixture.evacuation, kind: 'evacuation', clearedAt: expect.any(String) }),
  );
  const hot = incidents.filter(({ kind }) => kind === 'temperature');
  const of24 = `/api/sensors/${fixture.sensor.id}/history`;
  const span = `from=${new Date(fixture.now - 7_200_000).toISOString()}&to=${new Date(fixture.now + 3_600_000).toISOString()}`;
  const { points } = await app.expect(200, 'GET', `${of24}?${span}&step=raw`, { token });
  if (hasReadings) {
    expect(points.map(({ temperature, mq2 }) => [temperature, mq2])).toEqual([
      [21.5, 120],
      [22, 130],
      [41, 140],
    ]);
    expect(hot).toEqual([
      expect.objectContaining({
        _id: fixture.incident,
        value: 41,
        clearedAt: null,
        acknowledgedBy: expect.objectContaining({ name: 'Huda' }),
        timeline: [
          expect.objectContaining({ what: 'raised', value: 41 }),
          expect.objectContaining({ what: 'acknowledged', note: 'The windows are open' }),
        ],
      }),
    ]);
  } else {
    expect(points).toEqual([]);
    expect(hot).toEqual([]);
  }

  // It is worked with: the family signs in, the sensor sends, the desk checks out.
  await app.signIn('parent', fixture.parent.email, fixture.parent.password);
  await app.signIn('admin', fixture.employee.email, fixture.employee.password);
  await app.expect(202, 'POST', `/api/sensors/${fixture.sensor.id}/readings`, {
    headers: { 'x-device-key': fixture.sensor.key },
    json: { temperature: 23, humidity: 40, mq2: 100 },
  });
  await app.expect(200, 'POST', `/api/children/checkout-child/${fixture.inside}`, { token });
}

describe.each(OLD_INSTALLATIONS)('what version %s (%s) left', (_version, commit) => {
  const fixture = readOldInstallation(commit);

  if (testDialect === 'sqlite')
    test('a data folder is opened: a backup first, then everything is there, and who was signed in still is', async () => {
      const dataDir = unpack(fixture);
      const env = { DATA_DIR: dataDir, DATABASE_URL: '' };
      await withApp(fixture, env, async (app) => {
        await app.expect(200, 'GET', '/api/parent/info', { token: fixture.parent.token });
        await expectTheHouse(app, fixture, true);
      });
      const [backup = '', ...more] = readdirSync(join(dataDir, 'backups'));
      expect(backup).toMatch(/^before-.*\.backup$/);
      expect(more).toEqual([]);
      // That backup is the old database, and is restored as any other.
      const target = { DATA_DIR: makeFolder(), RECOVERY_KEY: fixture.recoveryKey };
      expect(await runServerProgram('restore', [join(dataDir, 'backups', backup)], target)).toMatchObject({
        code: 0,
        text: expect.stringContaining('The audit log is whole'),
      });
      await withApp(fixture, { ...target, DATABASE_URL: '' }, (app) => expectTheHouse(app, fixture, true));
    });

  test('a backup is restored into an empty place of either kind; sessions are dead', async () => {
    const file = join(makeFolder(), 'old.backup');
    writeFileSync(file, Buffer.from(fixture.backup, 'base64'));
    const database = await freshDb();
    databases.push(database);
    const env = {
      DATA_DIR: makeFolder(),
      DATABASE_URL: database.url ?? '',
      RECOVERY_KEY: fixture.recoveryKey,
    };
    expect(await runServerProgram('restore', [file], env)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Restored \d+ rows and 2 photos .*The audit log is whole/s),
    });
    await withApp(fixture, env, async (app) => {
      await app.expect(401, 'GET', '/api/parent/info', { token: fixture.parent.token });
      await expectTheHouse(app, fixture, fixture.hasReadings);
    });
  });
});
