/**
 * Each writing call of the contract whose sender is gone, or may not make it any more, when it comes to write: while its
 * body is awaited, or while it waits for its turn. Nothing is done.
 */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { FACILITY_HEADER } from '@haris/contract/constants';
import type { Route } from '@haris/contract/http/route';
import { routes } from '@haris/contract/http/routes';
import { PERMISSIONS, type Permission } from '@haris/contract/permissions';
import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { findMemberships, updateRole } from '../db/memberships.ts';
import type { Database, MembershipRow } from '../db/schema.ts';
import { MAIN_FACILITY } from '../facility.ts';
import { beforeTransaction } from '../testing/before-transaction.ts';
import { callExamples, needsMore, type RouteId } from '../testing/call-examples.ts';
import { type ExampleWorld, makeExampleWorld } from '../testing/example-world.ts';
import {
  type Answer,
  type Ask,
  type Family,
  startTestApp,
  type TestApp,
  testDialect,
} from '../testing/harness.ts';
import { changeSessions } from '../testing/sessions.ts';
import { askSlowly } from '../testing/slow-body.ts';
import { hashToken } from '../vault/vault.ts';

let app: TestApp;
let world: ExampleWorld;
let staff: string;
let own: Family;
let tablet: string;
/** Id of the first administrator, who sends the calls of staff. */
let administrator: string;
/** A role that no one has, until somebody is demoted to it. */
let lesser: string;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  own = await app.makeFamily();
  const gone = await app.makeEmployee();
  await app.expect(200, 'DELETE', `/api/admin/delete-admin/${gone.id}`, { token: staff });
  world = await makeExampleWorld({ app, staff, own, gone });
  tablet = await world.pairDesk();
  administrator = await world.ownId();
  lesser = await world.makeRole();
});
afterAll(() => app.close());
beforeEach(() => app.forgetLimits());

const senderOf = ({ access }: Route): string =>
  access === 'kiosk' ? world.device : access === 'desk' ? tablet : access === 'parent' ? own.token : staff;

/** Ends the sender's session or pairing; returns what gives it back. */
async function end(token: string): Promise<() => Promise<void>> {
  const { db } = app.context;
  const hash = hashToken(token);
  const devices = await db
    .deleteFrom('kiosk_devices')
    .where('token_hash', '=', hash)
    .returningAll()
    .execute();
  const sessions = await db.deleteFrom('sessions').where('token_hash', '=', hash).returningAll().execute();
  return async () => {
    if (devices.length > 0) await db.insertInto('kiosk_devices').values(devices).execute();
    if (sessions.length > 0) await db.insertInto('sessions').values(sessions).execute();
  };
}

/** Changes the one membership of the first administrator; returns what changes it back. */
async function changeMembership(change: Partial<MembershipRow>): Promise<() => Promise<void>> {
  const [{ facility_id, role_id } = { facility_id: '', role_id: '' }] = await findMemberships(
    app.context.db,
    [administrator],
  );
  const write = async (values: Partial<MembershipRow>) => {
    await app.context.db
      .updateTable('memberships')
      .set(values)
      .where('staff_id', '=', administrator)
      .execute();
  };
  await write(change);
  return () => write({ facility_id, role_id });
}

/** Permissions of the role to which people are demoted. */
const setLesser = (permissions: readonly Permission[]) =>
  app.context.db.transaction().execute((trx) => updateRole(trx, { id: lesser, name: 'Lesser', permissions }));
const demote = () => changeMembership({ role_id: lesser });
const leaveFacility = () => changeMembership({ facility_id: 'elsewhere' });

/**
 * Tables that change without the call: limits of tries; when a session or a device was last used, and what ends with it;
 * and what work in the background writes about sensors, cameras, steps of incidents and their notifications.
 */
const NOT_EFFECTS: ReadonlySet<string> = new Set([
  'throttle_hits',
  'sessions',
  'kiosk_devices',
  'tickets',
  'push_subscriptions',
  'meta',
  'leases',
  'sensor_states',
  'camera_states',
  'incident_steps',
  'incident_audience',
  'notification_deliveries',
  'mails',
]);

/** Bytes as one text: a list of numbers would take most of the test's time. */
function brief(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const stored = this[key];
  return stored instanceof Uint8Array ? Buffer.from(stored).toString('base64') : value;
}

let tables: string[] = [];
beforeAll(async () => {
  const all = await app.context.db.introspection.getTables();
  tables = all
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('kysely_') && !NOT_EFFECTS.has(name));
});

const isEffect = (name: string, type: unknown) =>
  name !== 'events' || !/^(sensor|camera)\.state$/.test(String(type));

/** What each table holds, as far as a call could change it: its rows as text. */
async function dump(): Promise<Map<string, string[]>> {
  const { db } = app.context;
  const all = new Map<string, string[]>(tables.map((name) => [name, []]));
  if (testDialect === 'postgres') {
    // One statement, because each costs a round trip.
    const each = tables.map(
      (name) => sql`
        select ${sql.lit(name)} as name, ${name === 'events' ? sql.ref('t.type') : sql`null`} as type, t::text as text
        from ${sql.table(name)} as t`,
    );
    const { rows } = await sql<{ name: string; type: string | null; text: string }>`
      ${sql.join(each, sql` union all `)}`.execute(db);
    for (const { name, type, text } of rows) if (isEffect(name, type)) all.get(name)?.push(text);
  } else {
    for (const name of tables) {
      const { rows } = await sql<{ type?: string }>`select * from ${sql.table(name)}`.execute(db);
      const effects = rows.filter(({ type }) => isEffect(name, type));
      all.set(
        name,
        effects.map((row) => JSON.stringify(row, brief)),
      );
    }
  }
  for (const rows of all.values()) rows.sort();
  return all;
}

/** Names of the tables that hold something else than before. */
async function changesSince(before: ReadonlyMap<string, string[]>): Promise<string[]> {
  const after = await dump();
  return [...after.keys()].filter((name) => after.get(name)?.join('\n') !== before.get(name)?.join('\n'));
}

/** Sends a call, does something right before it writes, and expects that the call writes nothing. */
async function askMeanwhile(
  route: Route,
  url: string,
  ask: Ask,
  change: () => Promise<() => Promise<void>>,
): Promise<Answer> {
  const before = await dump();
  let giveBack = async () => {};
  const writes = beforeTransaction(app.context.db, async () => {
    giveBack = await change();
  });
  const answer = await app
    .ask(route.method, url, { ...ask, token: senderOf(route) })
    .finally(() => vi.restoreAllMocks())
    // A transaction in the background may have set it off, and the call be refused before it is done.
    .finally(() => writes.settled())
    .finally(() => giveBack());
  expect(writes.hasBegun()).toBe(true);
  expect(await changesSince(before)).toEqual([]);
  return answer;
}

/** Calls that ask and compute only, write no more than the session's own row, or have nothing to write in this world. */
const writesNothing: ReadonlySet<RouteId> = new Set([
  'registerFace',
  'guideFace',
  'previewParentImport',
  'pressSession',
  'beginProof',
  'removeSampleData',
]);

const writing = (Object.values(routes) as readonly (Route & { id: RouteId })[]).filter(
  ({ id, method, access }) =>
    method !== 'GET' && access !== 'visitor' && !needsMore.has(id) && !writesNothing.has(id),
);

describe.each(writing.map((route) => [route.id, route] as const))('%s', (id, route) => {
  test('does nothing once its sender is gone before it writes', async () => {
    const { url, ask = {} } = await callExamples[id](world);
    expect(await askMeanwhile(route, url, ask, () => end(senderOf(route)))).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
  });

  test('does nothing once its sender is gone before its body', async () => {
    const { url, ask = {} } = await callExamples[id](world);
    if (ask.json === undefined || (route.method !== 'POST' && route.method !== 'PUT')) return;
    const token = senderOf(route);
    const before = await dump();
    let giveBack = async () => {};
    const answer = await askSlowly(app, route.method, url, { ...ask, token }, async () => {
      giveBack = await end(token);
    });
    await giveBack();
    expect(answer).toEqual({ status: 401, code: 'unauthenticated' });
    expect(await changesSince(before)).toEqual([]);
  });

  if (route.access === 'staff' || route.access === 'signed-in') {
    const { permission } = route;
    if (permission !== 'own')
      test('does nothing once its sender has been demoted before it writes', async () => {
        const { url, ask = {} } = await callExamples[id](world);
        await setLesser(permission === 'by-subject' ? [] : PERMISSIONS.filter((one) => one !== permission));
        expect(await askMeanwhile(route, url, ask, demote)).toMatchObject({
          status: 403,
          body: { code: 'forbidden' },
        });
      });

    test('does nothing once its sender’s role at the facility has ended before it writes', async () => {
      const { url, ask = {} } = await callExamples[id](world);
      const here = { ...ask, headers: { ...ask.headers, [FACILITY_HEADER]: MAIN_FACILITY } };
      expect(await askMeanwhile(route, url, here, leaveFacility)).toMatchObject({
        status: 404,
        body: { code: 'unknown_facility' },
      });
    });
  }

  if (route.proof === 'always')
    test('wants a new proof once the last is too old when it writes', async () => {
      const { url, ask = {} } = await callExamples[id](world);
      const token = senderOf(route);
      const answer = await askMeanwhile(route, url, ask, async () => {
        await changeSessions(app.context, { proved_at: app.clock.now() - 3_600_000 }, token);
        return () => changeSessions(app.context, { proved_at: app.clock.now() }, token);
      });
      expect(answer).toMatchObject({ status: 403, body: { code: 'proof_required' } });
    });
});

describe('a right that the route does not name but the call uses', () => {
  test('confirms no child at its check-in once it is lost', async () => {
    const child = await app.makeChild(own);
    await setLesser(PERMISSIONS.filter((one) => one !== 'families.edit'));
    const url = `/api/children/checkin-child/${child._id}`;
    const answer = await askMeanwhile(routes.checkInChild, url, { json: { confirm: true } }, demote);
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  test('adds no family by the call of visitors once it is lost', async () => {
    await setLesser(PERMISSIONS.filter((one) => one !== 'families.edit'));
    const json = { name: 'New', email: 'added-late@family.test' };
    const answer = await askMeanwhile(routes.addParent, routes.addParent.path, { json }, demote);
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });
});

test('a call whose sender’s role is being narrowed waits for that, and does nothing', async () => {
  const child = (await app.makeChild(own))._id;
  const { id, token } = await app.makeEmployee();
  const role = await world.makeRole();
  const narrow = (trx: Transaction<Database>, but: readonly Permission[]) =>
    updateRole(trx, {
      id: role,
      name: 'Being narrowed',
      permissions: PERMISSIONS.filter((one) => !but.includes(one)),
    });
  await app.context.db.transaction().execute((trx) => narrow(trx, []));
  const roles = [{ roleId: role, facilityId: MAIN_FACILITY }];
  await app.expect(200, 'PUT', `/api/admin/${id}/roles`, { token: staff, json: { roles } });
  const { answer } = await app.context.db.transaction().execute(async (trx) => {
    await narrow(trx, ['children.check_in']);
    let isAnswered = false;
    const answer = app
      .ask('POST', `/api/children/checkin-child/${child}`, { token })
      .finally(() => (isAnswered = true));
    // The embedded database has one writer, so everything else waits for this transaction.
    while (testDialect === 'postgres' && !isAnswered && !(await isWaitedFor(trx))) await setTimeout(10);
    return { answer };
  });
  expect(await answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  const { body } = await app.ask('GET', `/api/children/get-child/${child}`, { token: staff });
  expect(body.child.isInside).toBe(false);
});

/** Whether another connection of PostgreSQL waits for a lock of this transaction. */
async function isWaitedFor(trx: Transaction<Database>): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(trx);
  return rows.length > 0;
}

test('there are such calls', () => {
  expect(writing.length).toBeGreaterThan(100);
});

test('a body that does not come, and an upload that stalls, are ended with 408', async () => {
  const { port } = new URL(await app.app.listen({ host: '127.0.0.1', port: 0 }));
  const hold = async (path: string, type: string) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${staff}\r\ncontent-type: ${type}\r\ncontent-length: 5000\r\n\r\n`,
    );
    // A byte now and then is no progress.
    const drip = setInterval(() => socket.write('{'), 500);
    return text(socket).finally(() => clearInterval(drip));
  };
  const held = [
    hold('/api/sensors', 'application/json'),
    hold('/check-face', 'multipart/form-data; boundary=x'),
  ];
  for (const answer of await Promise.all(held)) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});
