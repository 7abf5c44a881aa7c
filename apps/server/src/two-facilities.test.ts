/** Attacks across two facilities that no table of routes generates: parents, filters, sockets, restores, two servers. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FACILITY_HEADER } from '@haris/contract/constants';
import { routes } from '@haris/contract/http/routes';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { MAIN_FACILITY } from './facility.ts';
import { atFacility, makeFacility, makeInsideAt } from './testing/at-facility.ts';
import { callExamples, type RouteId } from './testing/call-examples.ts';
import { freshDb } from './testing/database.ts';
import { type ExampleWorld, makeExampleWorld } from './testing/example-world.ts';
import { fakePhoto } from './testing/fake-vision.ts';
import {
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  type Employee,
  type Family,
  startTestApp,
  type TestApp,
  testDialect,
} from './testing/harness.ts';
import { runServerProgram } from './testing/server-programs.ts';
import { openEvents } from './testing/sse.ts';

const within = { timeout: 60_000, interval: 20 };
/** In every name at the second facility. */
const THEIRS = 'Zanzibar';

let app: TestApp;
let there: TestApp;
let second: string;
/** Family and manager of the first facility alone. */
let family: Family;
let manager: Employee;
/** Family, child, manager, sensor and room of the second facility alone. */
let theirs: {
  readonly family: Family;
  readonly child: string;
  readonly manager: Employee;
  readonly sensor: string;
};
let world: ExampleWorld;
let port: number;

beforeAll(async () => {
  app = await startTestApp();
  const token = await app.staff();
  second = await makeFacility(app, `${THEIRS} nursery`);
  there = atFacility(app, second);
  family = await app.makeFamily();
  await makeInsideAt(app, MAIN_FACILITY, family, 'Own child');
  manager = await app.makeEmployee();
  const theirFamily = await there.makeFamily({ name: `${THEIRS} parent` });
  const { _id: child } = await there.makeChild(theirFamily, `${THEIRS} child`, fakePhoto({ face: THEIRS }));
  await there.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token });
  const json = { name: `${THEIRS} sensor`, area: THEIRS, kind: 'haris' };
  const { sensor, deviceKey } = await there.expect(201, 'POST', '/api/sensors', { token, json });
  await there.expect(202, 'POST', `/api/sensors/${sensor._id}/readings`, {
    json: { temperature: 48 },
    headers: { 'x-device-key': deviceKey },
  });
  await there.expect(201, 'POST', '/api/visitors', { token, json: { name: `${THEIRS} visitor` } });
  const theirManager = await there.makeEmployee({ name: `${THEIRS} manager` });
  theirs = { family: theirFamily, child, manager: theirManager, sensor: sensor._id };
  const gone = await app.makeEmployee();
  await app.expect(200, 'DELETE', `/api/admin/delete-admin/${gone.id}`, { token });
  world = await makeExampleWorld({ app: there, staff: token, own: theirFamily, gone, facility: second });
  await app.app.incidents.sweep();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());
beforeEach(() => app.forgetLimits());

/** Fails if an answer has a name or an id of the second facility, except those that the request named. */
function expectNothingOfTheirs(text: string, asked = ''): void {
  const ids = [theirs.family.id, theirs.child, theirs.manager.id, theirs.sensor, theirs.family.email];
  expect([THEIRS, ...ids].filter((one) => text.includes(one) && !asked.includes(one))).toEqual([]);
}

/** A stream that never ends, and the names of all facilities, of which a parent chooses one for a child. */
const NOT_HERE: ReadonlySet<string> = new Set(['streamEvents', 'listFacilities']);

describe('a parent of the first facility', () => {
  const reads = Object.values(routes).filter(
    ({ id, method, access }) =>
      method === 'GET' && (access === 'signed-in' || access === 'parent') && !NOT_HERE.has(id),
  );

  test.each(reads.map((route) => [route.id, route] as const))(
    '%s names the second: nothing of it',
    async (id, route) => {
      const { url, ask = {} } = await callExamples[id as RouteId](world);
      const named = `${url}${url.includes('?') ? '&' : '?'}facility=${second}`;
      for (const [path, headers] of [
        [named, {}],
        [url, { [FACILITY_HEADER]: second }],
      ] as const) {
        const all = { ...ask, token: family.token, headers: { ...ask.headers, ...headers } };
        const answer = await app.ask(route.method, path, all);
        expectNothingOfTheirs(answer.bytes.toString('utf8'), url);
        expect(answer.status, route.path).not.toBe(500);
        if (/\{\w+\}/.test(route.path)) expect(answer.status, route.path).toBeGreaterThan(400);
      }
    },
  );
});

describe('a manager of the first facility', () => {
  const questions = [
    // First: the log says later what was asked for.
    ['/api/audit.csv?', ''],
    ['/api/audit?limit=100', `search=${THEIRS}`],
    ['/api/audit?limit=100', 'subject=CHILD'],
    ['/api/audit?limit=100', 'subject=PARENT'],
    ['/api/audit?limit=100', 'actor=MANAGER'],
    ['/api/audit.csv?', `search=${THEIRS}`],
    ['/api/audit.csv?', 'subject=CHILD'],
    ['/api/reports/attendance?period=month', 'childId=CHILD'],
    ['/api/reports/attendance/totals?period=month', 'childId=CHILD'],
    ['/api/reports/attendance/chart?period=month', 'childId=CHILD'],
    ['/api/reports/attendance.csv?period=month', 'childId=CHILD'],
    ['/api/reports/attendance.csv?period=month', ''],
    ['/api/sightings?', 'childId=CHILD'],
    ['/api/visitors?', `search=${THEIRS}`],
    ['/api/sensors?', `search=${THEIRS}`],
    ['/api/search?', `q=${THEIRS}`],
    ['/api/incidents?state=all', `area=${THEIRS}`],
    ['/api/notices/failed?', ''],
    ['/api/parent/get-all-parents?', `search=${THEIRS}`],
    ['/api/admin/get-all-admins?', `search=${THEIRS}`],
  ] as const;

  const urlOf = (path: string, filter: string) =>
    `${path}&${filter}`
      .replace('CHILD', theirs.child)
      .replace('PARENT', theirs.family.id)
      .replace('MANAGER', theirs.manager.id);

  test.each(questions)('%s with %s of the second: nothing of it', async (path, filter) => {
    await app.proveNow(manager.token);
    const url = urlOf(path, filter);
    const answer = await app.ask('GET', url, { token: manager.token });
    expect([200, 400, 404]).toContain(answer.status);
    expectNothingOfTheirs(answer.bytes.toString('utf8'), url);
  });

  test('an import that names e-mails of the second changes nothing there, and tells no name', async () => {
    const rows = [{ name: 'Taken over', email: theirs.family.email, phone: '' }];
    const headers = { 'idempotency-key': 'import' };
    const answer = await app.ask('POST', '/api/imports/parents', {
      ...{ token: manager.token, json: { rows }, headers },
    });
    expect(answer).toMatchObject({ status: 409, body: { code: 'import_refused' } });
    expectNothingOfTheirs(answer.bytes.toString('utf8'), theirs.family.email);
    const url = `/api/parent/get-parent/${theirs.family.id}`;
    expect((await there.expect(200, 'GET', url, { token: theirs.manager.token })).parent.name).toBe(
      theirs.family.name,
    );
  });

  test('a socket that comes back with the name of the second is refused, and one of the second is not', async () => {
    const statusOf = (token: string, facility: string) =>
      new Promise<number>((resolve, reject) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/ws?facility=${facility}`, ['bearer', token]);
        socket.on('error', reject);
        socket.on('unexpected-response', (_request, answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        });
        socket.once('open', () => {
          socket.terminate();
          resolve(101);
        });
      });
    expect(await statusOf(manager.token, MAIN_FACILITY)).toBe(101);
    expect(await statusOf(manager.token, second)).toBe(404);
    expect(await statusOf(theirs.manager.token, second)).toBe(101);
    expect(await statusOf(theirs.manager.token, MAIN_FACILITY)).toBe(404);
  });
});

test('a backup brings both facilities back, still apart', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'haris-two-'));
  const database = await freshDb();
  try {
    const file = join(scratch, 'now.bak');
    const key = (await runServerProgram('backup', ['--recovery-key'], app.env)).text.split('\n')[0] ?? '';
    expect((await runServerProgram('backup', [file], app.env)).code).toBe(0);
    const env = {
      ...{ DATA_DIR: join(scratch, 'data'), RECOVERY_KEY: key },
      ...(database.url ? { DATABASE_URL: database.url } : {}),
    };
    const restored = await runServerProgram('restore', [file], env);
    expect(restored.code, restored.text).toBe(0);
    const after = await startTestApp({ config: env });
    try {
      const owner = await after.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD);
      const mine = await after.signIn('admin', manager.email, manager.password);
      const own = await after.signIn('admin', theirs.manager.email, theirs.manager.password);
      const all = '/api/children/get-all-children?limit=200';
      const namesOf = async (at: TestApp, token: string) =>
        (await at.expect(200, 'GET', all, { token })).children.map(({ name }) => name);
      expect(await namesOf(after, mine)).toEqual(await namesOf(app, manager.token));
      expect(await namesOf(after, mine)).not.toContain(`${THEIRS} child`);
      expect(await namesOf(after, own)).toContain(`${THEIRS} child`);
      expect(await namesOf(after, own)).not.toContain('Own child');
      expect(await namesOf(atFacility(after, second), owner)).toEqual(await namesOf(after, own));
      const stolen = await atFacility(after, second).ask('GET', all, { token: mine });
      expect(stolen).toMatchObject({ status: 404, body: { code: 'unknown_facility' } });
    } finally {
      await after.close();
    }
  } finally {
    await database.drop();
    rmSync(scratch, { recursive: true, force: true });
  }
});

describe.skipIf(testDialect === 'sqlite')('two servers on one database', () => {
  test('neither events nor the look for incidents cross from one facility to the other', async () => {
    const beside = await startTestApp({ beside: app });
    try {
      await beside.app.listen({ port: 0, host: '127.0.0.1' });
      const { port: other } = beside.app.server.address() as AddressInfo;
      const [mine, own] = [
        await openEvents(other, manager.token),
        await openEvents(other, theirs.manager.token),
      ];
      const token = await app.staff();
      const add = async (at: TestApp, name: string) => {
        const json = { name, area: name, kind: 'haris' };
        const { sensor, deviceKey } = await at.expect(201, 'POST', '/api/sensors', { token, json });
        await at.expect(202, 'POST', `/api/sensors/${sensor._id}/readings`, {
          json: { temperature: 49 },
          headers: { 'x-device-key': deviceKey },
        });
      };
      await add(app, 'Garden');
      await add(there, `${THEIRS} terrace`);
      // The other server has the lease, and looks at the readings of both facilities.
      await beside.app.incidents.sweep();
      await app.app.incidents.sweep();
      const areasOf = async (who: Employee) => {
        const page = await beside.expect(200, 'GET', '/api/incidents?state=open', { token: who.token });
        return page.incidents.filter(({ kind }) => kind === 'temperature').map(({ area }) => area);
      };
      await expect.poll(() => areasOf(manager), within).toEqual(['Garden']);
      await expect
        .poll(async () => (await areasOf(theirs.manager)).toSorted(), within)
        .toEqual([THEIRS, `${THEIRS} terrace`]);
      const incidentsOf = async (who: Employee) =>
        (await beside.expect(200, 'GET', '/api/incidents?state=open', { token: who.token })).incidents.map(
          ({ _id }) => _id,
        );
      const raised = (client: typeof mine) =>
        client.events.flatMap(({ type, data }) => (type === 'alert.raised' ? (data.incidentId ?? []) : []));
      for (const [client, who, stranger] of [
        [mine, manager, theirs.manager],
        [own, theirs.manager, manager],
      ] as const) {
        await expect.poll(() => raised(client).length, within).toBeGreaterThan(0);
        const ids = await incidentsOf(who);
        expect(raised(client).filter((id) => !ids.includes(id))).toEqual([]);
        const strange = await incidentsOf(stranger);
        expect(raised(client).filter((id) => strange.includes(id))).toEqual([]);
        client.close();
      }
      expectNothingOfTheirs(JSON.stringify(mine.events));
    } finally {
      await beside.close();
    }
  });
});
