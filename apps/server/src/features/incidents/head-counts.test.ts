/** Head counts: who arrives is ticked by name, and who does not is a danger within two minutes (decision 056). */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertChild } from '../../db/children.ts';
import { inTransaction } from '../../db/transaction.ts';
import { inFacility, MAIN_FACILITY } from '../../facility.ts';
import { cleanOnce } from '../../housekeeping.ts';
import type { IncidentStep } from '../../incident-step.ts';
import { textOf } from '../../notifications/texts.ts';
import { atFacility, makeFacility } from '../../testing/at-facility.ts';
import { type ExampleWorld, makeExampleWorld } from '../../testing/example-world.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { openEvents } from '../../testing/sse.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const within = { timeout: 60_000, interval: 20 };

let app: TestApp;
let world: ExampleWorld;
let staff: string;
let employee: Employee;
let family: Family;
let garden: string;
let bees: string;
let camera: string;
let steps: IncidentStep[] = [];
/** When the test began; dangers of earlier ones do not count. */
let began = 0;
let number = 0;

beforeAll(async () => {
  app = await startTestApp({
    receiveStep: async (step) => {
      steps.push(step);
    },
  });
  staff = await app.staff();
  employee = await app.makeEmployee({ name: 'Hana Nabil' });
  family = await app.makeFamily();
  world = await makeExampleWorld({ app, staff, own: family, gone: await app.makeEmployee() });
  camera = await world.camera();
});
beforeEach(async () => {
  await app.forgetLimits();
  app.clock.advance(MINUTE);
  staff = await app.staff();
  steps = [];
  began = app.clock.now();
  [garden, bees] = [await makeRoom('Garden'), await makeRoom('Bees')];
});
afterEach(async () => {
  // None of its children is missed in the next test.
  staff = await app.staff();
  for (const { _id } of await list()) await end(_id, { outcome: 'cancelled' });
});
afterAll(() => app.close());

async function makeRoom(name: string, over: object = {}): Promise<string> {
  const json = { name: `${name} ${++number}`, ...over };
  return (await app.expect(201, 'POST', '/api/rooms', { token: staff, json })).room._id;
}
/** Children without a photo, which takes no time, inside and in a room. */
async function putInto(roomId: string, ...names: string[]): Promise<string[]> {
  const ids = names.map(() => randomUUID());
  await inTransaction(app.context.db, async ({ trx }) => {
    for (const [index, name] of names.entries())
      await insertChild(trx, {
        id: String(ids[index]),
        parentId: family.id,
        name,
        facility: MAIN_FACILITY,
        createdAt: app.clock.now(),
        isConfirmed: true,
      });
  });
  for (const id of ids) await checkIn(id, roomId);
  return ids;
}
const checkIn = (id: string, roomId?: string) =>
  app.expect(200, 'POST', `/api/children/checkin-child/${id}`, {
    token: staff,
    json: roomId === undefined ? {} : { roomId },
  });
const checkOut = (id: string) =>
  app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });
const move = (childIds: readonly string[], roomId: string) =>
  app.expect(200, 'POST', '/api/children/move', { token: staff, json: { childIds, roomId } });
const askStart = (json: object = {}, token = staff, at = app) =>
  at.ask('POST', '/api/head-counts', { token, json: { fromRoomId: garden, toRoomId: bees, ...json } });
async function start(json: object = {}, token = staff) {
  const { status, body } = await askStart(json, token);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.headCount;
}
const askTick = (id: string, child: string | undefined, state = 'here', token = staff, at = app) =>
  at.ask('PUT', `/api/head-counts/${id}/children/${child}`, { token, json: { state } });
async function tick(id: string, child: string | undefined, state = 'here', token = staff) {
  const { status, body } = await askTick(id, child, state, token);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.headCount;
}
const askEnd = (id: string, json: object = {}, token = staff, at = app) =>
  at.ask('POST', `/api/head-counts/${id}/end`, { token, json: { outcome: 'moved', ...json } });
async function end(id: string, json: object = {}) {
  const { status, body } = await askEnd(id, json);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.headCount;
}
const read = async (id: string, token = staff) =>
  (await app.expect(200, 'GET', `/api/head-counts/${id}`, { token })).headCount;
const list = async (token = staff, at = app) =>
  (await at.expect(200, 'GET', '/api/head-counts', { token })).headCounts;
const statesOf = (count: { children: readonly { childId: string; state: string }[] }) =>
  Object.fromEntries(count.children.map(({ childId, state }) => [childId, state]));
const missing = async () =>
  (
    await app.expect(200, 'GET', '/api/incidents?kind=missing_child&limit=200', { token: staff })
  ).incidents.filter(({ raisedAt }) => Date.parse(raisedAt) >= began);
const missingIds = async () => (await missing()).map(({ subject }) => subject?._id).toSorted();
const roomOf = async (id: string | undefined) =>
  (await app.expect(200, 'GET', `/api/children/get-child/${id}`, { token: staff })).child.roomId;
const auditOf = async (subject: string) =>
  (await app.expect(200, 'GET', `/api/audit?subject=${subject}`, { token: staff })).entries;
/** Lets time pass, and the engine look. */
async function pass(ms: number): Promise<void> {
  app.clock.advance(ms);
  await app.app.incidents.sweep();
}
const found = (id: string | undefined) =>
  app.expect(200, 'POST', `/api/incidents/${id}/found`, { token: staff, json: { note: 'Shed' } });
const seen = (child_id: string, area: string) =>
  inFacility(MAIN_FACILITY, () =>
    app.context.db
      .insertInto('sightings')
      .values({
        id: randomUUID(),
        child_id,
        camera_id: camera,
        area,
        track: randomUUID(),
        from_at: app.clock.now(),
        to_at: app.clock.now(),
        confidence: 0.9,
      })
      .execute(),
  );
const iso = (at: number) => new Date(at).toISOString();

describe('a count', () => {
  test('lists the children of the room by name, is ticked by two, and moves all who are here', async () => {
    const [zain, adam] = await putInto(garden, 'Zain', 'Adam');
    app.clock.advance(MINUTE);
    const count = await start();
    expect(count).toMatchObject({
      state: 'open',
      from: { _id: garden, name: expect.stringContaining('Garden') },
      to: { _id: bees },
      startedAt: iso(app.clock.now()),
      startedBy: { _id: expect.any(String) },
      alertsAt: iso(app.clock.now() + 110 * SECOND),
      endedAt: null,
    });
    expect(count.children).toMatchObject([
      { childId: adam, name: 'Adam', state: 'open', by: null, at: null, lastSeen: null, incidentId: null },
      { childId: zain, name: 'Zain', state: 'open' },
    ]);
    await tick(count._id, adam);
    const both = await tick(count._id, zain, 'here', employee.token);
    expect(both.children).toMatchObject([
      { state: 'here', at: iso(app.clock.now()) },
      { state: 'here', by: { _id: employee.id, name: 'Hana Nabil' } },
    ]);
    // Nobody is moved before the end.
    expect(await roomOf(adam)).toBe(garden);
    app.clock.advance(SECOND);
    expect(await end(count._id)).toMatchObject({ state: 'moved', endedAt: iso(app.clock.now()) });
    expect([await roomOf(adam), await roomOf(zain)]).toEqual([bees, bees]);
    expect(await list()).toEqual([]);
    await pass(5 * MINUTE);
    expect(await missing()).toEqual([]);

    const ofRoom = await auditOf(bees);
    expect(ofRoom.map(({ action, details }) => [action, details])).toEqual([
      ['head_count.ended', { countId: count._id, from: garden, here: 2, missing: 0 }],
      ['head_count.started', { countId: count._id, from: garden, children: 2 }],
      ['room.created', expect.anything()],
    ]);
    expect(
      (await auditOf(String(zain))).map(({ action, actor }) => [action, actor?.id === employee.id]),
    ).toEqual(
      expect.arrayContaining([
        ['child.moved', false],
        ['head_count.ticked', true],
      ]),
    );
  });

  test('starting, ticking and ending twice change nothing, at two desks too', async () => {
    const ids = await putInto(garden, 'Adam', 'Lina');
    const [first, second] = await Promise.all([start(), start({ childIds: ids }, employee.token)]);
    expect(second._id).toBe(first._id);
    expect(await list()).toHaveLength(1);
    const [a, b] = await Promise.all([
      tick(first._id, ids[0]),
      tick(first._id, ids[0], 'here', employee.token),
    ]);
    expect([statesOf(a)[String(ids[0])], statesOf(b)[String(ids[0])]]).toEqual(['here', 'here']);
    await tick(first._id, ids[1]);
    await Promise.all([end(first._id), end(first._id)]);
    expect((await auditOf(bees)).filter(({ action }) => action === 'head_count.ended')).toHaveLength(1);
    expect(await askEnd(first._id, { outcome: 'cancelled' })).toMatchObject({
      status: 409,
      body: { code: 'head_count_over' },
    });
    expect(await askTick(first._id, ids[0], 'open')).toMatchObject({
      status: 409,
      body: { code: 'head_count_over' },
    });
  });

  test('has a child once: another one with it is refused, one of the others is not', async () => {
    const [adam, lina] = await putInto(garden, 'Adam', 'Lina');
    const art = await makeRoom('Art');
    const count = await start({ childIds: [adam] });
    expect(count.children).toHaveLength(1);
    for (const json of [
      {},
      { toRoomId: art },
      { childIds: [adam, lina] },
      { childIds: [adam], toRoomId: art },
    ])
      expect(await askStart(json)).toMatchObject({ status: 409, body: { code: 'head_count_running' } });
    const other = await start({ childIds: [lina], toRoomId: art });
    expect((await list()).map(({ _id }) => _id).toSorted()).toEqual([count._id, other._id].toSorted());
    await end(count._id, { outcome: 'cancelled' });
    await end(other._id, { outcome: 'cancelled' });
    expect([await roomOf(adam), await roomOf(lina)]).toEqual([garden, garden]);
    expect((await start()).children).toHaveLength(2);
  });

  test('refuses an empty room, who is not in it, one room twice and what does not exist', async () => {
    expect(await askStart()).toMatchObject({ status: 409, body: { code: 'room_changed' } });
    const [adam] = await putInto(garden, 'Adam');
    const [omar] = await putInto(bees, 'Omar');
    expect(await askStart({ childIds: [adam, omar] })).toMatchObject({ body: { code: 'room_changed' } });
    expect((await askStart({ childIds: ['nobody'] })).status).toBe(404);
    expect((await askStart({ toRoomId: garden })).status).toBe(400);
    expect((await askStart({ childIds: [] })).status).toBe(400);
    for (const json of [{ toRoomId: 'none' }, { fromRoomId: 'none' }])
      expect((await askStart(json)).status).toBe(404);
    const { _id } = await start();
    expect((await askTick(_id, 'nobody')).status).toBe(404);
    expect((await askTick('none', adam)).status).toBe(404);
    expect((await askTick(_id, adam, 'gone')).status).toBe(400);
    expect((await askEnd('none')).status).toBe(404);
    expect((await askEnd(_id, { outcome: 'over' })).status).toBe(400);
  });

  test('that leads to a room keeps it; a full room refuses the end, and the danger comes all the same', async () => {
    const [adam, lina] = await putInto(garden, 'Adam', 'Lina');
    const nest = await makeRoom('Nest', { capacity: 1, capacityKind: 'hard' });
    const { _id } = await start({ toRoomId: nest });
    await app.proveNow(staff);
    expect(await app.ask('DELETE', `/api/rooms/${nest}`, { token: staff })).toMatchObject({
      status: 409,
      body: { code: 'room_in_use' },
    });
    await tick(_id, adam);
    await tick(_id, lina);
    expect(await askEnd(_id)).toMatchObject({ status: 409, body: { code: 'room_full' } });
    await tick(_id, lina, 'open');
    expect(await roomOf(adam)).toBe(garden);
    await pass(2 * MINUTE);
    expect(await missingIds()).toEqual([lina]);
    await tick(_id, lina);
    await end(_id, { overCapacityReason: 'Rain' });
    expect(await roomOf(lina)).toBe(nest);
    expect(
      (await auditOf(String(lina))).find(({ action }) => action === 'child.moved')?.details,
    ).toMatchObject({
      overCapacityReason: 'Rain',
    });
  });

  test('of 60 children is one list, ticked by two phones at once', async () => {
    const ids = await putInto(garden, ...Array.from({ length: 60 }, (_, at) => `Child ${at + 1}`));
    const { _id } = await start();
    const half = (odd: number) => ids.filter((_, at) => at % 2 === odd);
    const phone = async (mine: readonly string[], token: string) => {
      for (const id of mine) await tick(_id, id, 'here', token);
    };
    await Promise.all([phone(half(0), staff), phone(half(1), employee.token)]);
    expect(new Set(Object.values(statesOf(await read(_id))))).toEqual(new Set(['here']));
    await end(_id);
    const { rooms } = await app.expect(200, 'GET', '/api/rooms', { token: staff });
    expect(rooms.find((room) => room._id === bees)?.children).toBe(60);
  }, 240_000);
});

describe('a child who does not arrive', () => {
  test('is a danger within two minutes, with the last place seen, whatever cameras say meanwhile', async () => {
    const [adam, omar] = await putInto(garden, 'Adam', 'Omar');
    app.clock.advance(MINUTE);
    await seen(String(omar), 'Playground');
    const seenAt = app.clock.now();
    app.clock.advance(MINUTE);
    const { _id } = await start();
    await tick(_id, adam);
    await pass(109 * SECOND);
    expect(await missing()).toEqual([]);
    await pass(10 * SECOND);
    expect(await missing()).toMatchObject([
      {
        severity: 'safety',
        area: null,
        subject: { kind: 'child', _id: omar, name: 'Omar' },
        lastPlace: { area: 'Playground', at: iso(seenAt) },
        timeline: [{ what: 'raised', by: null }],
      },
    ]);
    const [danger] = await missing();
    expect((await read(_id)).children).toMatchObject([
      { childId: adam, incidentId: null },
      { childId: omar, state: 'open', incidentId: danger?._id, lastSeen: { area: 'Playground' } },
    ]);
    const told = steps.filter(({ incidentId }) => incidentId === danger?._id);
    expect(told).toMatchObject([{ step: 0, phase: 'raised' }]);
    for (const language of ['en', 'ar'] as const)
      for (const step of told) expect(textOf(step, 'admin', language).body).toMatch(/Omar.*Playground/s);
    // A camera takes him for somebody in the right room: he is not ticked, and the danger stays.
    const { rooms } = await app.expect(200, 'GET', '/api/rooms', { token: staff });
    await seen(String(omar), String(rooms.find((room) => room._id === bees)?.name));
    await pass(MINUTE);
    expect(statesOf(await read(_id))).toEqual({ [String(adam)]: 'here', [String(omar)]: 'open' });
    expect(await missing()).toMatchObject([
      { _id: danger?._id, lastPlace: { area: 'Playground', at: iso(seenAt) } },
    ]);
    // No family hears of it.
    const theirs = await app.expect(200, 'GET', '/api/incidents?state=all', { token: family.token });
    expect(JSON.stringify(theirs)).not.toContain('missing_child');

    app.clock.advance(SECOND);
    await tick(_id, omar, 'here', employee.token);
    expect(await missing()).toEqual([]);
    const { incidents } = await app.expect(200, 'GET', '/api/incidents?state=all&kind=missing_child', {
      token: staff,
    });
    expect(incidents.find((one) => one._id === danger?._id)?.timeline.at(-1)).toMatchObject({
      what: 'cleared',
      by: { _id: employee.id },
    });
  });

  test('seen in the right room by a camera alone is a danger, and without a camera its room is the last place', async () => {
    const [adam, lina] = await putInto(garden, 'Adam', 'Lina');
    const { rooms } = await app.expect(200, 'GET', '/api/rooms', { token: staff });
    const nameOf = (id: string) => String(rooms.find((room) => room._id === id)?.name);
    await start();
    app.clock.advance(SECOND);
    await seen(String(adam), nameOf(bees));
    await pass(110 * SECOND);
    const places = new Map((await missing()).map(({ subject, lastPlace }) => [subject?._id, lastPlace]));
    expect(places.get(adam)).toMatchObject({ area: nameOf(bees), at: expect.any(String) });
    expect(places.get(lina)).toEqual({ area: nameOf(garden), at: null });
  });

  test('is missed by the end of the count at once; ticked afterwards, it is found and moved', async () => {
    const [adam, omar, nour] = await putInto(garden, 'Adam', 'Omar', 'Nour');
    const { _id } = await start();
    await tick(_id, adam);
    await tick(_id, nour, 'stays');
    const ended = await end(_id);
    expect(statesOf(ended)).toEqual({
      [String(adam)]: 'here',
      [String(omar)]: 'open',
      [String(nour)]: 'stays',
    });
    expect(await missing()).toMatchObject([
      { subject: { _id: omar }, timeline: [{ by: { _id: expect.any(String) } }] },
    ]);
    expect([await roomOf(adam), await roomOf(omar), await roomOf(nour)]).toEqual([bees, garden, garden]);
    for (const [child, state] of [
      [adam, 'here'],
      [nour, 'here'],
      [omar, 'stays'],
    ] as const)
      expect((await askTick(_id, child, state)).status).toBe(409);
    app.clock.advance(MINUTE);
    expect(statesOf(await tick(_id, omar))[String(omar)]).toBe('here');
    expect(await roomOf(omar)).toBe(bees);
    expect(await missing()).toEqual([]);
    expect((await auditOf(bees))[0]?.details).toMatchObject({ here: 1, missing: 1 });
  });

  test('is raised anew when its tick is taken back, and not when somebody has found it', async () => {
    const [adam, omar] = await putInto(garden, 'Adam', 'Omar');
    const { _id } = await start();
    await tick(_id, adam);
    await pass(2 * MINUTE);
    const [first] = await missing();
    await found(first?._id);
    await pass(5 * MINUTE);
    expect(await missing()).toEqual([]);
    expect((await read(_id)).children).toMatchObject([{}, { childId: omar, state: 'open', isFound: true }]);
    // The wrong name was ticked.
    await tick(_id, adam, 'open');
    await pass(SECOND);
    expect(await missingIds()).toEqual([adam]);
    await tick(_id, adam);
    await tick(_id, omar);
    await tick(_id, omar, 'open');
    await pass(SECOND);
    expect(await missingIds()).toEqual([omar]);
    // `stays` is no proof that somebody has it in sight.
    await tick(_id, omar, 'stays');
    expect(await missingIds()).toEqual([omar]);
    await found((await missing())[0]?._id);
    await end(_id);
    expect(await missing()).toEqual([]);
  });

  test('is missed again at once when the tick that ended the danger is taken back, in another count or after the end', async () => {
    const [adam] = await putInto(garden, 'Adam');
    const art = await makeRoom('Art');
    const [omar, lina] = await putInto(art, 'Omar', 'Lina');
    const sorted = (...ids: (string | undefined)[]) => ids.map(String).toSorted();
    const { _id } = await start();
    const other = await start({ fromRoomId: art, toRoomId: garden });
    await pass(2 * MINUTE);
    expect(await missingIds()).toEqual(sorted(adam, omar, lina));
    // The wrong name, ticked where another group is awaited.
    await tick(_id, omar);
    expect(await missingIds()).toEqual(sorted(adam, lina));
    expect((await tick(_id, omar, 'open')).children).toMatchObject([{ childId: adam }]);
    expect(await missingIds()).toEqual(sorted(adam, omar, lina));
    expect(statesOf(await read(other._id))).toEqual({ [String(omar)]: 'open', [String(lina)]: 'open' });
    await end(other._id);
    app.clock.advance(SECOND);
    await tick(other._id, lina);
    expect(await missingIds()).toEqual(sorted(adam, omar));
    await tick(other._id, lina, 'open');
    expect(await missingIds()).toEqual(sorted(adam, omar, lina));
    await tick(other._id, lina);
    // An answer that was lost: the same again.
    await tick(other._id, lina);
    expect(await missingIds()).toEqual(sorted(adam, omar));
    expect(await roomOf(lina)).toBe(garden);
  });

  test('is one danger, whoever misses it: by hand and by the count', async () => {
    const [omar] = await putInto(garden, 'Omar');
    const { _id } = await start();
    const { incident } = await app.expect(201, 'POST', `/api/children/${omar}/missing`, { token: staff });
    expect(incident.lastPlace).toMatchObject({ at: null });
    await pass(3 * MINUTE);
    await end(_id);
    expect(await missing()).toMatchObject([{ _id: incident._id }]);
  });
});

describe('meanwhile', () => {
  test('who is picked up, or moved by a colleague, is neither missing nor moved; an undone one is awaited', async () => {
    const [adam, lina, omar, nour] = await putInto(garden, 'Adam', 'Lina', 'Omar', 'Nour');
    const art = await makeRoom('Art');
    app.clock.advance(MINUTE);
    const { _id } = await start();
    await tick(_id, adam);
    app.clock.advance(SECOND);
    await checkOut(String(lina));
    // Ticked before, moved after: the newer word counts.
    await move([String(adam), String(omar)], art);
    await move([String(nour)], art);
    app.clock.advance(SECOND);
    await move([String(nour)], garden);
    const states = {
      [String(adam)]: 'here',
      [String(lina)]: 'left',
      [String(omar)]: 'elsewhere',
      [String(nour)]: 'open',
    };
    expect(statesOf(await read(_id))).toEqual(states);
    await pass(2 * MINUTE);
    expect(await missingIds()).toEqual([nour]);
    expect(await askTick(_id, lina)).toMatchObject({ status: 409, body: { code: 'not_inside' } });
    // In again: another stay, which is not awaited; but she may be ticked.
    await checkIn(String(lina), garden);
    expect(statesOf(await read(_id))[String(lina)]).toBe('left');
    await tick(_id, nour);
    await end(_id);
    expect([await roomOf(adam), await roomOf(omar), await roomOf(lina), await roomOf(nour)]).toEqual([
      art,
      art,
      garden,
      bees,
    ]);
    expect(await missing()).toEqual([]);
  });

  test('a checkout that is undone leaves the child awaited', async () => {
    const [lina] = await putInto(garden, 'Lina');
    const { child } = await app.expect(200, 'GET', `/api/children/get-child/${lina}`, { token: staff });
    const { _id } = await start();
    app.clock.advance(105 * SECOND);
    await checkOut(String(lina));
    await pass(6 * SECOND);
    expect(await missing()).toEqual([]);
    const json = { uniqueEntryId: child.uniqueEntryId };
    await app.expect(200, 'POST', `/api/children/undo-checkout-child/${lina}`, { token: staff, json });
    await pass(SECOND);
    expect(await missingIds()).toEqual([lina]);
    expect(statesOf(await read(_id))).toEqual({ [String(lina)]: 'open' });
  });

  test('who stands there and is not listed joins the list, if it is inside', async () => {
    const [adam] = await putInto(garden, 'Adam');
    const art = await makeRoom('Art');
    const [omar] = await putInto(art, 'Omar');
    const outside = (await app.makeChild(family))._id;
    const { _id } = await start();
    // Omar is awaited in another count, too.
    const other = await start({ fromRoomId: art, toRoomId: garden });
    expect(await askTick(_id, outside)).toMatchObject({ status: 409, body: { code: 'not_inside' } });
    expect((await askTick(_id, omar, 'stays')).status).toBe(404);
    app.clock.advance(SECOND);
    expect((await tick(_id, omar)).children).toMatchObject([
      { childId: adam, isAdded: false },
      { childId: omar, isAdded: true, state: 'here' },
    ]);
    expect(statesOf(await read(other._id))).toEqual({ [String(omar)]: 'elsewhere' });
    await pass(2 * MINUTE);
    expect(await missingIds()).toEqual([adam]);
    // The same start again, though he is in two counts now.
    expect((await start({ fromRoomId: art, toRoomId: garden }))._id).toBe(other._id);
    // Taken back, he is missed by the other one again.
    expect((await tick(_id, omar, 'open')).children).toMatchObject([{ childId: adam }]);
    await pass(SECOND);
    expect(await missingIds()).toEqual([String(adam), String(omar)].toSorted());
    await tick(_id, omar);
    await tick(_id, adam);
    await end(_id);
    expect(await roomOf(omar)).toBe(bees);
    await end(other._id);
    expect(await missing()).toEqual([]);
  });

  test('a server that was down misses the child late; a count that nobody ends is over, and moves nobody', async () => {
    const [adam, omar] = await putInto(garden, 'Adam', 'Omar');
    const { _id } = await start();
    await tick(_id, adam);
    app.clock.advance(59 * MINUTE);
    expect(await list()).toHaveLength(1);
    app.clock.advance(MINUTE);
    expect(await list()).toEqual([]);
    expect(await read(_id)).toMatchObject({ state: 'over', endedAt: null });
    expect(await askTick(_id, omar)).toMatchObject({ status: 409, body: { code: 'head_count_over' } });
    expect(await askEnd(_id)).toMatchObject({ status: 409, body: { code: 'head_count_over' } });
    await pass(SECOND);
    expect(await missingIds()).toEqual([omar]);
    expect(await roomOf(adam)).toBe(garden);
    // A new one awaits both.
    expect((await start()).children).toHaveLength(2);
    await pass(3 * MINUTE);
    expect(await missingIds()).toEqual([String(adam), String(omar)].toSorted());
  });

  test('a cancelled count misses nobody, and keeps the dangers that it has raised', async () => {
    const [adam] = await putInto(garden, 'Adam');
    const first = await start();
    expect((await end(first._id, { outcome: 'cancelled' })).state).toBe('cancelled');
    await pass(5 * MINUTE);
    expect(await missing()).toEqual([]);
    const second = await start();
    await pass(2 * MINUTE);
    await end(second._id, { outcome: 'cancelled' });
    await pass(MINUTE);
    expect(await missingIds()).toEqual([adam]);
    expect((await auditOf(bees)).map(({ action }) => action)).toContain('head_count.cancelled');
  });
});

describe('who may', () => {
  test('no session, no family, nobody without the right; who may not check in ends no danger and sees no sighting', async () => {
    const [adam] = await putInto(garden, 'Adam');
    await seen(String(adam), 'Playground');
    const { _id } = await start();
    const inspector = await world.signInWith('inspector');
    for (const [token, status] of [
      ['nobody', 401],
      [family.token, 403],
      [inspector, 403],
    ] as const) {
      const answers = [
        await app.ask('GET', '/api/head-counts', { token }),
        await app.ask('GET', `/api/head-counts/${_id}`, { token }),
        await askStart({}, token),
        await askTick(_id, adam, 'here', token),
        await askEnd(_id, {}, token),
      ];
      expect(answers.map((one) => one.status)).toEqual(answers.map(() => status));
    }
    const teacher = await world.signInWith('teacher');
    expect((await read(_id, teacher)).children[0]?.lastSeen).toMatchObject({ area: 'Playground' });
    const mover = await world.signInWith(await world.makeRole(['children.move']));
    expect((await read(_id, mover)).children[0]?.lastSeen).toBeNull();
    await pass(2 * MINUTE);
    expect(statesOf(await tick(_id, adam, 'here', mover))).toEqual({ [String(adam)]: 'here' });
    expect(await missingIds()).toEqual([adam]);
    await tick(_id, adam, 'here', teacher);
    expect(await missing()).toEqual([]);
  });

  test('another facility neither sees, ticks nor ends it, and counts none of its children', async () => {
    const second = await makeFacility(app, `Second ${++number}`);
    const there = atFacility(app, second);
    const [adam] = await putInto(garden, 'Adam');
    const { _id } = await start();
    expect(await list(staff, there)).toEqual([]);
    expect((await there.ask('GET', `/api/head-counts/${_id}`, { token: staff })).status).toBe(404);
    expect((await askTick(_id, adam, 'here', staff, there)).status).toBe(404);
    expect((await askEnd(_id, {}, staff, there)).status).toBe(404);
    expect((await askStart({}, staff, there)).status).toBe(404);
    // A child that is known at both is counted where it is inside.
    const json = { facilityId: second };
    await app.expect(200, 'POST', `/api/children/${adam}/facilities`, { token: staff, json });
    const { rooms } = await there.expect(200, 'GET', '/api/rooms', { token: staff });
    const made = await there.expect(201, 'POST', '/api/rooms', { token: staff, json: { name: 'Attic' } });
    const theirs = { fromRoomId: rooms[0]?._id, toRoomId: made.room._id, childIds: [adam] };
    expect(await askStart(theirs, staff, there)).toMatchObject({ body: { code: 'room_changed' } });
    await pass(2 * MINUTE);
    const elsewhere = await there.expect(200, 'GET', '/api/incidents', { token: staff });
    expect(elsewhere.incidents.filter(({ kind }) => kind === 'missing_child')).toEqual([]);
    expect(await missingIds()).toEqual([adam]);
  });

  test('the screens of those who move children hear of each tick, no family does', async () => {
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.app.server.address() as AddressInfo;
    const [adam] = await putInto(garden, 'Adam');
    const inspector = await world.signInWith('inspector');
    const screens = [
      await openEvents(port, employee.token),
      await openEvents(port, inspector),
      await openEvents(port, family.token),
    ] as const;
    const { _id } = await start();
    await tick(_id, adam);
    await end(_id);
    await checkOut(String(adam));
    const types = (screen: (typeof screens)[number]) => screen.events.map(({ type }) => type);
    for (const screen of screens)
      await expect.poll(() => types(screen), within).toContain('child.checked_out');
    const heard = screens.map(
      (screen) => types(screen).filter((type) => type === 'head_count.changed').length,
    );
    expect(heard).toEqual([3, 0, 0]);
    // The family hears that its child is in another room, as at any move.
    expect(types(screens[2])).toContain('child.moved');
    for (const screen of screens) screen.close();
  });
});

test('an erased child leaves the list, and old counts are deleted', async () => {
  const [adam, lina] = await putInto(garden, 'Adam', 'Lina');
  const { _id } = await start();
  await tick(_id, lina);
  await app.expect(200, 'POST', `/api/children/checkout-child/${adam}`, { token: staff });
  await app.proveNow(staff);
  await app.expect(200, 'DELETE', `/api/children/delete-child/${adam}`, { token: staff });
  expect((await read(_id)).children).toMatchObject([{ childId: lina }]);
  const rows = () =>
    app.context.db.selectFrom('head_count_children').select('child_id').where('count_id', '=', _id).execute();
  expect(await rows()).toEqual([{ child_id: lina }]);
  // As on a running server, which looks at its clock more than once a day.
  for (let halfDays = 0; halfDays < 62; halfDays++) {
    app.clock.advance(12 * 60 * MINUTE);
    await cleanOnce(app.context);
  }
  expect(await rows()).toEqual([]);
  staff = await app.staff();
  expect((await app.ask('GET', `/api/head-counts/${_id}`, { token: staff })).status).toBe(404);
});
