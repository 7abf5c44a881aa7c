/** Who reads the code of a child's slip, and a parent's name and phone: in answers, and in events as they are sent. */
import type { AddressInfo } from 'node:net';
import type { Permission } from '@haris/contract/permissions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateRole } from '../db/memberships.ts';
import { type ExampleWorld, makeExampleWorld } from '../testing/example-world.ts';
import { type Family, startTestApp, type TestApp } from '../testing/harness.ts';
import { type EventClient, openEvents } from '../testing/sse.ts';

const within = { timeout: 60_000, interval: 20 };
const MINUTE = 60_000;
const PARENT = 'Wilhelmina Quux';
const PHONE = '01098765432';

let app: TestApp;
let world: ExampleWorld;
let staff: string;
let family: Family;
let port: number;
let child: string;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  family = await app.makeFamily({ name: PARENT, phone: PHONE });
  const gone = await app.makeEmployee();
  world = await makeExampleWorld({ app, staff, own: family, gone });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = app.app.server.address() as AddressInfo);
  child = (await app.makeChild(family))._id;
  await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: staff });
});
afterAll(() => app.close());

const signIn = async (...permissions: Permission[]) => world.signInWith(await world.makeRole(permissions));
const slipCode = async (): Promise<string> =>
  String((await app.expect(200, 'GET', `/api/children/get-child/${child}`, { token: staff })).child.slipCode);

/** What a stream was told of the child with the alert that its time is up. */
async function toldBy(client: EventClient) {
  const alerts = () =>
    client.events.filter(({ type, data }) => type === 'alert.raised' && data.childId === child);
  await expect.poll(() => alerts().length, within).toBeGreaterThan(0);
  return alerts()[0]?.data.child;
}

test('an alert tells staff of its child what they may see: nothing, the child, or the code of its slip too', async () => {
  const alertsOnly = await world.makeRole(['incidents.view', 'families.view']);
  const streams = {
    owner: staff,
    desk: await world.signInWith('desk'),
    inspector: await world.signInWith('inspector'),
    alerts: await signIn('incidents.view', 'children.check_in'),
    demoted: await world.signInWith(alertsOnly),
    parent: family.token,
  };
  const clients = Object.fromEntries(
    await Promise.all(
      Object.entries(streams).map(async ([name, token]) => [name, await openEvents(port, token)] as const),
    ),
  ) as Record<keyof typeof streams, EventClient>;
  // Its rights are those of the moment at which an event is sent.
  await app.context.db
    .transaction()
    .execute((trx) => updateRole(trx, { id: alertsOnly, name: 'Alerts', permissions: ['incidents.view'] }));
  app.clock.advance(31 * MINUTE);
  await app.app.incidents.sweep();

  const code = await slipCode();
  expect(code).toMatch(/\.[0-9a-f]{32}$/);
  const forStaff = { _id: family.id, name: PARENT, phone: PHONE };
  for (const name of ['owner', 'desk'] as const) {
    const told = await toldBy(clients[name]);
    expect(told, name).toMatchObject({ slipCode: code });
    expect(told?.parent, name).toEqual(forStaff);
  }
  for (const [name, parent] of [
    ['inspector', forStaff],
    ['parent', { _id: family.id, name: PARENT }],
  ] as const) {
    const told = await toldBy(clients[name]);
    expect(told, name).toMatchObject({ _id: child });
    expect(told?.parent, name).toEqual(parent);
    expect(told, name).not.toHaveProperty('slipCode');
  }
  for (const name of ['alerts', 'demoted'] as const) {
    expect(await toldBy(clients[name]), name).toBeNull();
    expect(JSON.stringify(clients[name].events), name).not.toContain(PARENT);
    expect(JSON.stringify(clients[name].events), name).not.toContain(PHONE);
    expect(JSON.stringify(clients[name].events), name).not.toContain(code);
  }
  for (const client of Object.values(clients)) client.close();
});

test('a list and a sheet show the code of a slip to who checks children out, and to nobody else', async () => {
  const code = await slipCode();
  const inspector = await world.signInWith('inspector');
  const desk = await signIn('families.view', 'children.check_in');
  for (const url of [
    '/api/children/get-all-children?inside=true',
    `/api/children/get-child/${child}`,
    '/api/parent/get-all-parents',
    `/api/parent/get-parent/${family.id}`,
    `/api/search?q=${encodeURIComponent(PARENT)}`,
  ]) {
    const read = async (token: string) => (await app.ask('GET', url, { token })).bytes.toString('utf8');
    expect(await read(desk), url).toContain(code);
    for (const token of [inspector, family.token]) expect(await read(token), url).not.toContain(code);
  }
});

test('the phone of a child’s parent is for who sees families, and for no parent in the child', async () => {
  const inspector = await world.signInWith('inspector');
  const listed = async (token: string) =>
    (await app.expect(200, 'GET', '/api/children/get-all-children?inside=true', { token })).children.find(
      ({ _id }) => _id === child,
    )?.parent;
  for (const token of [staff, inspector])
    expect(await listed(token)).toEqual({ _id: family.id, name: PARENT, phone: PHONE });
  expect(await listed(family.token)).toEqual({ _id: family.id, name: PARENT });
});

test('who may not see families reads no parent’s name in the answer to a call about a child', async () => {
  const code = await slipCode();
  const move = { childIds: [child], roomId: await world.makeRoom() };
  const mover = await signIn('children.move', 'rooms.view');
  const moved = await app.expect(200, 'POST', '/api/children/move', { token: mover, json: move });
  expect(moved.children[0]).toMatchObject({ _id: child });
  expect(moved.children[0]?.parent).toEqual({ _id: family.id, name: '' });
  expect(JSON.stringify(moved)).not.toContain(PARENT);
  expect(JSON.stringify(moved)).not.toContain(PHONE);
  expect(JSON.stringify(moved)).not.toContain(code);

  const door = await signIn('children.check_in');
  const json = { uniqueEntryId: code };
  const found = await app.expect(200, 'POST', '/api/children/find-entry', { token: door, json });
  expect((found as unknown as { entry: { child: object } }).entry.child).toMatchObject({
    slipCode: code,
    parent: { name: '' },
  });
});

test('a roll call gives the parents’ phones to who sees families or runs an evacuation', async () => {
  const guardianFor = async (...permissions: Permission[]) => {
    const token = await signIn('incidents.view', ...permissions);
    const { rollCall } = await app.expect(200, 'GET', '/api/roll-call', { token });
    return rollCall.children.find(({ childId }) => childId === child)?.guardian;
  };
  const whole = { _id: family.id, name: PARENT, phone: PHONE };
  expect(await guardianFor()).toBeNull();
  expect(await guardianFor('families.view')).toEqual(whole);
  expect(await guardianFor('evacuation.run')).toEqual(whole);
  await app.expect(201, 'POST', '/api/evacuations', { token: staff });
  const token = await signIn('incidents.view');
  const { evacuation } = await app.expect(200, 'GET', '/api/evacuations/current', { token });
  expect(evacuation?.children.map(({ guardian }) => guardian)).toEqual([null]);
});

test('a roll call gives phone and reason of visitors to who sees visitors or runs an evacuation', async () => {
  const json = { name: 'Ahmed Sami', phone: '01055512345', reason: 'Repairs' };
  await app.expect(201, 'POST', '/api/visitors', { token: staff, json });
  const visitorFor = async (...permissions: Permission[]) => {
    const token = await signIn('incidents.view', ...permissions);
    const { rollCall } = await app.expect(200, 'GET', '/api/roll-call', { token });
    return rollCall.people.find(({ name }) => name === json.name);
  };
  expect(await visitorFor()).toMatchObject({ name: json.name, phone: null, reason: null });
  expect(await visitorFor('visitors.view')).toMatchObject(json);
  expect(await visitorFor('evacuation.run')).toMatchObject(json);
});

test('who may not see families reads no parent’s name in the list of what could not be delivered', async () => {
  const { _id: other } = await app.makeChild(family);
  for (const what of ['checkin', 'checkout'])
    await app.expect(200, 'POST', `/api/children/${what}-child/${other}`, { token: staff });
  await app.app.notifications.settled();
  await app.context.db
    .updateTable('notification_deliveries')
    .set({ state: 'failed', reason: 'refused', ended_at: app.clock.now() })
    .where('account_id', '=', family.id)
    .where('kind', '=', 'released')
    .execute();
  const namesFor = async (...permissions: Permission[]) => {
    const token = await signIn('incidents.view', ...permissions);
    const { failures } = await app.expect(200, 'GET', '/api/notices/failed?limit=200', { token });
    return failures.flatMap(({ account }) => (account?._id === family.id ? [account.name] : []));
  };
  expect(new Set(await namesFor('families.view'))).toEqual(new Set([PARENT]));
  expect(new Set(await namesFor())).toEqual(new Set(['']));
});

test('a call that is sent again repeats what its sender may still see, and no more', async () => {
  const { _id } = await app.makeChild(family);
  const role = await world.makeRole(['children.check_in', 'families.view']);
  const token = await world.signInWith(role);
  const checkIn = () =>
    app.ask('POST', `/api/children/checkin-child/${_id}`, {
      token,
      headers: { 'idempotency-key': `again-${_id}` },
    });
  const narrow = (permissions: readonly Permission[]) =>
    app.context.db
      .transaction()
      .execute((trx) => updateRole(trx, { id: role, name: 'Sends again', permissions }));
  const first = await checkIn();
  expect(first.body.child.parent).toEqual({ _id: family.id, name: PARENT, phone: PHONE });
  const code = String(first.body.child.slipCode);
  expect((await checkIn()).bytes.equals(first.bytes)).toBe(true);
  await narrow(['children.check_in']);
  const again = await checkIn();
  expect(again).toMatchObject({ status: 200, body: { child: { slipCode: code } } });
  expect(again.body.child.parent).toEqual({ _id: family.id, name: '' });
  await narrow(['families.view']);
  const refused = await checkIn();
  expect(refused.status).toBe(403);
  expect(refused.bytes.toString('utf8')).not.toContain(code);
});
