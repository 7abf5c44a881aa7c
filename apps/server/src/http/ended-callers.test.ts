/**
 * Each writing call of the contract whose sender is gone when it comes to write: while its body is awaited, or while it
 * waits for its turn. Nothing is done.
 */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Route } from '@haris/contract/http/route';
import { routes } from '@haris/contract/http/routes';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { callExamples, needsMore, type RouteId } from '../testing/call-examples.ts';
import { type ExampleWorld, makeExampleWorld } from '../testing/example-world.ts';
import { type Family, startTestApp, type TestApp } from '../testing/harness.ts';
import { changeSessions } from '../testing/sessions.ts';
import { askSlowly } from '../testing/slow-body.ts';
import { hashToken } from '../vault/vault.ts';

let app: TestApp;
let world: ExampleWorld;
let staff: string;
let own: Family;
let tablet: string;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  own = await app.makeFamily();
  const gone = await app.makeEmployee();
  await app.expect(200, 'DELETE', `/api/admin/delete-admin/${gone.id}`, { token: staff });
  world = await makeExampleWorld({ app, staff, own, gone });
  tablet = await world.pairDesk();
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

/** Calls back once, right before the next transaction begins. */
function beforeTransaction(work: () => Promise<void>): { hasBegun(): boolean } {
  const { db } = app.context;
  const transaction = db.transaction.bind(db);
  let hasBegun = false;
  vi.spyOn(db, 'transaction').mockImplementation(() => {
    const builder = transaction();
    const execute = builder.execute.bind(builder);
    builder.execute = async (run) => {
      if (!hasBegun) {
        hasBegun = true;
        await work();
      }
      return execute(run);
    };
    return builder;
  });
  return { hasBegun: () => hasBegun };
}

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
  'notification_deliveries',
  'mails',
]);

/** What each table holds, as far as a call could change it. */
async function dump(): Promise<Map<string, string[]>> {
  const { db } = app.context;
  const all = new Map<string, string[]>();
  for (const { name } of await db.introspection.getTables()) {
    if (name.startsWith('kysely_') || NOT_EFFECTS.has(name)) continue;
    const { rows } = await sql<{ type?: string }>`select * from ${sql.table(name)}`.execute(db);
    const effects = rows.filter(
      ({ type }) => name !== 'events' || !/^(sensor|camera)\.state$/.test(String(type)),
    );
    all.set(name, effects.map((row) => JSON.stringify(row)).sort());
  }
  return all;
}

/** Names of the tables that hold something else than before. */
async function changesSince(before: ReadonlyMap<string, string[]>): Promise<string[]> {
  const after = await dump();
  return [...after.keys()].filter((name) => after.get(name)?.join('\n') !== before.get(name)?.join('\n'));
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
    const token = senderOf(route);
    const before = await dump();
    let giveBack = async () => {};
    const writes = beforeTransaction(async () => {
      giveBack = await end(token);
    });
    const answer = await app.ask(route.method, url, { ...ask, token });
    vi.restoreAllMocks();
    await giveBack();
    expect(writes.hasBegun()).toBe(true);
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(await changesSince(before)).toEqual([]);
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

  if (route.proof === 'always')
    test('wants a new proof once the last is too old when it writes', async () => {
      const { url, ask = {} } = await callExamples[id](world);
      const token = senderOf(route);
      const before = await dump();
      const writes = beforeTransaction(async () => {
        await changeSessions(app.context, { proved_at: app.clock.now() - 3_600_000 }, token);
      });
      const answer = await app.ask(route.method, url, { ...ask, token });
      vi.restoreAllMocks();
      await changeSessions(app.context, { proved_at: app.clock.now() }, token);
      expect(writes.hasBegun()).toBe(true);
      expect(answer).toMatchObject({ status: 403, body: { code: 'proof_required' } });
      expect(await changesSince(before)).toEqual([]);
    });
});

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
