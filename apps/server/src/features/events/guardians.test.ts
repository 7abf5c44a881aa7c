/** `/api/events` of a child with two guardians: who is told of what, and that neither household reads of the other (decision 049). */
import type { AddressInfo } from 'node:net';
import { EMPTY_CARE_CARD } from '@haris/contract/care-card';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { addEntry } from '../../testing/care-log.ts';
import { fakePhoto } from '../../testing/fake-vision.ts';
import { addGuardian, changeGuardian, passOn } from '../../testing/guardians.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { type EventClient, openEvents } from '../../testing/sse.ts';

let app: TestApp;
let staff: string;
let port: number;
let first: Family;
let second: Family;
let stranger: Family;
let child: string;
let faces = 0;
const clients: EventClient[] = [];
const within = { timeout: 240_000, interval: 20 };

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
});
beforeEach(async () => {
  await app.forgetLimits();
  const number = faces++;
  first = await app.makeFamily({ name: 'Mona Firsthouse', email: `mona-${number}@firsthouse.test` });
  second = await app.makeFamily({ name: 'Karim Otherhouse', email: `karim-${number}@otherhouse.test` });
  stranger = await app.makeFamily();
  child = (await app.makeChild(first, 'Lina', fakePhoto({ face: `told ${faces++}` })))._id;
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(() => app.close());

async function listen({ token }: Pick<Family, 'token'>, lastEventId?: string): Promise<EventClient> {
  const client = await openEvents(port, token, lastEventId);
  clients.push(client);
  expect(client.status).toBe(200);
  return client;
}
const post = (step: string, json: object = {}) =>
  app.expect(200, 'POST', `/api/children/${step}/${child}`, { token: staff, json });
const types = (client: EventClient) => client.events.map(({ type }) => type);
const minutes = (count: number) => new Date(app.clock.now() + count * 60_000).toISOString();
const rename = (token: string, name: string) =>
  app.expect(200, 'PUT', `/api/children/update-child/${child}`, { token, json: { name } });

/** Nothing in the events tells of the other household. */
function expectNothingOf({ id, name, email }: Family, { events }: EventClient): void {
  for (const text of [id, name, email]) expect(JSON.stringify(events)).not.toContain(text);
}

test('both are told of the stay and of the child, each as its own, and a stranger of nothing', async () => {
  await addGuardian(app, child, second.id);
  const [desk, mine] = [await listen({ token: staff }), await listen(first)];
  const [theirs, none] = [await listen(second), await listen(stranger)];
  const { child: inside } = await post('checkin-child');
  await post('extend-stay', { due: minutes(30), minutes: 30 });
  await post('undo-extend-stay', { due: minutes(60) });
  const garden = { token: staff, json: { name: `Garden ${faces++}` } };
  const { room } = await app.expect(201, 'POST', '/api/rooms', garden);
  const move = { token: staff, json: { childIds: [child], roomId: room._id } };
  await app.expect(200, 'POST', '/api/children/move', move);
  await rename(staff, 'Leen');
  await addEntry(app, staff, child);
  await post('checkout-child');
  await post('undo-checkout-child', { uniqueEntryId: inside.uniqueEntryId });
  await post('checkout-child');
  const happened = [
    'child.checked_in',
    'child.stay_extended',
    'child.stay_extension_undone',
    'child.moved',
    'child.updated',
    'care_log.changed',
    'child.checked_out',
    'child.checkout_undone',
    'child.checked_out',
  ];
  await expect.poll(() => types(desk).filter((type) => type !== 'room.updated'), within).toEqual(happened);
  for (const [client, own, other] of [
    [mine, first, second],
    [theirs, second, first],
  ] as const) {
    await expect.poll(() => types(client), within).toEqual(happened);
    for (const { data } of client.events)
      expect(data).toMatchObject({
        ...{ childId: child, parentId: own.id },
        child: { _id: child, parent: { _id: own.id, name: own.name } },
      });
    expect(client.events.at(-1)?.data.child).toMatchObject({ name: 'Leen', isInside: false });
    expectNothingOf(other, client);
  }
  expect(desk.events.every(({ data }) => data.childId === null || data.parentId === first.id)).toBe(true);
  expect(types(none)).toEqual([]);
});

test('what one enters reaches that one and staff, until staff confirm it', async () => {
  await addGuardian(app, child, second.id);
  await post('checkin-child');
  const [desk, mine, theirs] = [await listen({ token: staff }), await listen(first), await listen(second)];
  const { token } = first;
  const collector = { name: 'Samia', relation: 'Aunt' };
  await app.expect(201, 'POST', `/api/children/${child}/collectors`, { token, json: collector });
  const card = { version: 0, card: EMPTY_CARE_CARD };
  await app.expect(200, 'PUT', `/api/children/${child}/care-card`, { token, json: card });
  const arrival = { children: [child], arrivesAt: minutes(10) };
  await app.expect(200, 'POST', '/api/children/on-my-way', { token, json: arrival });
  const absence = { from: '2099-01-01', to: '2099-01-01', reason: 'illness' };
  await app.expect(201, 'POST', `/api/children/${child}/absences`, { token, json: absence });
  await rename(token, 'Leen');
  const entered = [
    'child.updated',
    'child.care_card_updated',
    'child.on_my_way',
    'booking.changed',
    'child.updated',
  ];
  const decision = { token: staff, json: { accept: true } };
  await app.expect(200, 'POST', `/api/children/${child}/confirm`, decision);
  await post('checkout-child');
  const rest = ['proposal.accepted', 'child.checked_out'];
  for (const client of [desk, mine])
    await expect.poll(() => types(client), within).toEqual([...entered, ...rest]);
  await expect.poll(() => types(theirs), within).toEqual(['child.updated', 'child.checked_out']);
  expect(theirs.events.map(({ data }) => [data.parentId, data.child?.name])).toEqual([
    [second.id, 'Leen'],
    [second.id, 'Leen'],
  ]);
  expectNothingOf(first, theirs);
});

test.each([
  [false, 'proposal.rejected', []],
  [true, 'proposal.accepted', ['child.updated']],
])(
  'a decision (%s) is told to who proposed, when another one is the first guardian',
  async (accept, type, rest) => {
    await addGuardian(app, child, second.id);
    await rename(first.token, 'Leen');
    await passOn(app, child, first.id);
    const [desk, author, now] = [await listen({ token: staff }), await listen(first), await listen(second)];
    await app.expect(200, 'POST', `/api/children/${child}/confirm`, { token: staff, json: { accept } });
    await post('checkin-child');
    for (const client of [desk, author])
      await expect.poll(() => types(client), within).toEqual([type, 'child.checked_in']);
    // The child has changed for this one, or nothing has: it knows of no proposal.
    await expect.poll(() => types(now), within).toEqual([...rest, 'child.checked_in']);
    expect(author.events[0]?.data).toMatchObject({
      parentId: first.id,
      child: { parent: { _id: first.id } },
    });
    expectNothingOf(first, now);
    expectNothingOf(second, author);
  },
);

test('a decision is told to nobody who has ended', async () => {
  await addGuardian(app, child, second.id);
  await rename(first.token, 'Leen');
  await passOn(app, child, first.id);
  await changeGuardian(app, child, first.id, { ended_at: app.clock.now() });
  const [desk, ended, now] = [await listen({ token: staff }), await listen(first), await listen(second)];
  const decision = { token: staff, json: { accept: false } };
  await app.expect(200, 'POST', `/api/children/${child}/confirm`, decision);
  await post('checkin-child');
  await expect.poll(() => types(desk), within).toEqual(['proposal.rejected', 'child.checked_in']);
  await expect.poll(() => types(now), within).toEqual(['child.checked_in']);
  const fence = await app.makeChild(first, 'Own', fakePhoto({ face: `told ${faces++}` }));
  await expect.poll(() => ended.events.at(-1)?.data.childId, within).toBe(fence._id);
  expect(types(ended)).toEqual(['child.created']);
});

test('is told of nothing from before, and of nothing without the guardianship', async () => {
  const stay = async () => {
    await post('checkin-child');
    await post('checkout-child');
  };
  await stay();
  app.clock.advance(1000);
  await addGuardian(app, child, second.id);
  await stay();
  const happened = ['child.checked_in', 'child.checked_out'];
  // Each of them has two more events: of the own registration, the first one also of the child.
  const ofStays = (client: EventClient) => types(client).filter((type) => happened.includes(type));
  const mine = await listen(first, '0');
  await expect.poll(() => ofStays(mine), within).toEqual([...happened, ...happened]);
  const theirs = await listen(second, '0');
  await expect.poll(() => ofStays(theirs), within).toEqual(happened);

  await changeGuardian(app, child, second.id, { accepted_at: null });
  await stay();
  await changeGuardian(app, child, second.id, { accepted_at: app.clock.now(), ended_at: app.clock.now() });
  await stay();
  await expect.poll(() => ofStays(mine).length, within).toBe(8);
  await changeGuardian(app, child, first.id, { ended_at: app.clock.now() });
  const [noMore, neither] = [await listen(first, '0'), await listen(second, '0')];
  for (const [family, open] of [
    [first, [mine, noMore]],
    [second, [theirs, neither]],
  ] as const) {
    const fence = await app.makeChild(family, 'Own', fakePhoto({ face: `told ${faces++}` }));
    for (const client of open)
      await expect.poll(() => client.events.at(-1)?.data.childId, within).toBe(fence._id);
  }
  expect([ofStays(theirs), ofStays(neither), ofStays(noMore)]).toEqual([happened, [], []]);
});

test('is told that the child was deleted, as is staff, once', async () => {
  await addGuardian(app, child, second.id);
  const [desk, mine, theirs] = [await listen({ token: staff }), await listen(first), await listen(second)];
  await app.expect(200, 'DELETE', `/api/children/delete-child/${child}`, { token: staff });
  const fence = await app.makeChild(stranger, 'Fence', fakePhoto({ face: `told ${faces++}` }));
  await expect.poll(() => desk.events.at(-1)?.data.childId, within).toBe(fence._id);
  expect(types(desk)).toEqual(['child.deleted', 'child.created']);
  for (const [client, { id }] of [
    [mine, first],
    [theirs, second],
  ] as const) {
    await expect.poll(() => types(client), within).toEqual(['child.deleted']);
    expect(client.events[0]?.data).toMatchObject({ childId: child, parentId: id, child: null });
  }
});

test('is told of a danger while the child is inside', async () => {
  await addGuardian(app, child, second.id);
  await post('checkin-child');
  const [theirs, none] = [await listen(second), await listen(stranger)];
  const { evacuation } = await app.expect(201, 'POST', '/api/evacuations', { token: staff, json: {} });
  await expect.poll(() => types(theirs), within).toEqual(['alert.raised']);
  const seen = async ({ token }: Family) =>
    (await app.expect(200, 'GET', '/api/incidents?state=open', { token })).incidents.map(({ kind }) => kind);
  expect([await seen(second), await seen(stranger)]).toEqual([['evacuation'], []]);
  expect(types(none)).toEqual([]);
  await app.expect(200, 'POST', `/api/evacuations/${evacuation._id}/end`, { token: staff, json: {} });
});

test('the end of an alert for the first guardian reaches the one who is it now', async () => {
  await addGuardian(app, child, second.id);
  const entry = await addEntry(app, staff, child);
  await app.app.incidents.sweep();
  await passOn(app, child, first.id);
  const [mine, theirs] = [await listen(first), await listen(second)];
  await app.expect(201, 'POST', `/api/children/${child}/care-log/${entry}/acknowledgement`, {
    ...{ token: second.token, json: { signature: { kind: 'typed', name: 'Karim Otherhouse' } } },
  });
  await app.app.incidents.sweep();
  await expect.poll(() => types(theirs), within).toContain('alert.cleared');
  expect(types(mine)).not.toContain('alert.cleared');
});
