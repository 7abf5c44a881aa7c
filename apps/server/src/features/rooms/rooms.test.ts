/** Rooms: adding, changing and deleting them, the places of children, moves, and the staff in them (decision 043). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertChild } from '../../db/children.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { openEvents } from '../../testing/sse.ts';
import { endPastPresences } from './presence.ts';

const within = { timeout: 240_000 };
let app: TestApp;
let staff: string;
let employee: Employee;
let family: Family;
let number = 0;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  employee = await app.makeEmployee();
  await app.expect(200, 'PUT', `/api/admin/${employee.id}/roles`, {
    token: staff,
    json: { roles: [{ roleId: 'teacher', facilityId: 'main' }] },
  });
  family = await app.makeFamily();
});
afterAll(() => app.close());
beforeEach(() => app.forgetLimits());

const listRooms = async (token = staff) => (await app.expect(200, 'GET', '/api/rooms', { token })).rooms;
const defaultRoom = async () => {
  const room = (await listRooms()).find(({ isDefault }) => isDefault);
  if (!room) throw new Error('no default room');
  return room;
};
const makeRoom = async (over: object = {}) =>
  (
    await app.expect(201, 'POST', '/api/rooms', {
      token: staff,
      json: { name: `Room ${++number}`, ...over },
    })
  ).room;
const roomById = async (id: string) => (await listRooms()).find(({ _id }) => _id === id);
const change = (id: string, json: object) =>
  app.expect(200, 'PUT', `/api/rooms/${id}`, { token: staff, json });
const checkIn = (id: string, json: object = {}, token = staff) =>
  app.ask('POST', `/api/children/checkin-child/${id}`, { token, json });
/** Asks again while the database is too busy to answer in time, as on a slow machine: such a check-in did not happen. */
async function checkInPatiently(id: string, json: object) {
  for (;;) {
    const answer = await checkIn(id, json);
    if (answer.status !== 503) return answer;
  }
}
const checkOut = (id: string) =>
  app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });
const move = (childIds: string[], roomId: string, over: object = {}, token = staff) =>
  app.ask('POST', '/api/children/move', { token, json: { childIds, roomId, ...over } });
const auditOf = async (subject: string) =>
  (await app.expect(200, 'GET', `/api/audit?subject=${subject}`, { token: staff })).entries;

/** Children without a photo, which takes no time. */
async function addChildren(count: number, parent = family): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await inTransaction(app.context.db, async ({ trx }) => {
    for (const id of ids)
      await insertChild(trx, {
        id,
        parentId: parent.id,
        name: 'A Child',
        facility: 'main',
        createdAt: app.clock.now(),
        isConfirmed: true,
      });
  });
  return ids;
}
const addChild = async () => String((await addChildren(1))[0]);
const addInside = async (roomId?: string) => {
  const id = await addChild();
  expect((await checkIn(id, roomId === undefined ? {} : { roomId })).status).toBe(200);
  return id;
};
const roomOf = async (id: string) =>
  (await app.expect(200, 'GET', `/api/children/get-child/${id}`, { token: staff })).child;

describe('rooms', () => {
  test('begin with one, the default, into which a child without a room comes', async () => {
    const first = await defaultRoom();
    expect(first).toMatchObject({ name: 'Main room', capacity: null, children: 0, isOverCapacity: false });
    const id = await addChild();
    expect(await roomOf(id)).toMatchObject({ roomId: null, room: null });
    const { body } = await checkIn(id);
    expect(body.child).toMatchObject({ roomId: first._id, room: 'Main room' });
    expect(body.child.roomSince).toBe(new Date(app.clock.now()).toISOString());
    expect((await roomById(first._id))?.children).toBe(1);
    await checkOut(id);
    expect((await roomById(first._id))?.children).toBe(0);
  });

  test('are added, changed and deleted, each with a row of the audit log and an event for staff alone', async () => {
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.app.server.address() as { port: number };
    const [desk, parent] = [await openEvents(port, staff), await openEvents(port, family.token)];
    const room = await makeRoom({ capacity: 12, capacityKind: 'hard', name: '  The Nest ' });
    expect(room).toMatchObject({ name: 'The Nest', capacity: 12, capacityKind: 'hard', isDefault: false });
    const ratios = [
      { underMonths: 36, childrenPerStaff: 6 },
      { underMonths: 18, childrenPerStaff: 3 },
    ];
    const { room: changed } = await change(room._id, { capacity: null, ratios });
    expect(changed).toMatchObject({ capacity: null, ratios: ratios.toReversed(), name: 'The Nest' });
    await app.expect(200, 'DELETE', `/api/rooms/${room._id}`, { token: staff });
    expect(await roomById(room._id)).toBeUndefined();
    expect((await auditOf(room._id)).map(({ action }) => action)).toEqual([
      'room.deleted',
      'room.updated',
      'room.created',
    ]);
    const types = () => desk.events.map(({ type }) => type);
    await expect.poll(types, within).toEqual(['room.updated', 'room.updated', 'room.updated']);
    expect(parent.events).toEqual([]);
    desk.close();
    parent.close();
  });

  test('have a name that no other has, however it is spelt', async () => {
    const first = await makeRoom({ name: 'Éléphants' });
    const second = await makeRoom();
    const json = { name: 'elephants' };
    for (const answer of [
      await app.ask('POST', '/api/rooms', { token: staff, json }),
      await app.ask('PUT', `/api/rooms/${second._id}`, { token: staff, json }),
    ])
      expect(answer).toMatchObject({ status: 409, body: { code: 'room_name_taken' } });
    expect((await change(first._id, json)).room.name).toBe('elephants');
  });

  test('refuse what cannot be, by field', async () => {
    for (const [field, wrong] of [
      ['name', { name: ' ' }],
      ['name', { name: 'a\u202eb' }],
      ['capacity', { name: 'A', capacity: 0 }],
      ['capacity', { name: 'A', capacity: 2.5 }],
      ['capacityKind', { name: 'A', capacityKind: 'firm' }],
      ['ratios', { name: 'A', ratios: [{ underMonths: 0, childrenPerStaff: 3 }] }],
      [
        'ratios',
        {
          name: 'A',
          ratios: [
            { underMonths: 9, childrenPerStaff: 3 },
            { underMonths: 9, childrenPerStaff: 4 },
          ],
        },
      ],
    ] as const)
      expect(await app.ask('POST', '/api/rooms', { token: staff, json: wrong })).toMatchObject({
        status: 400,
        body: { fields: { [field]: expect.any(String) } },
      });
  });

  test('have exactly one default, which cannot be deleted', async () => {
    const before = await defaultRoom();
    const room = await makeRoom({ isDefault: true });
    expect((await listRooms()).filter(({ isDefault }) => isDefault)).toHaveLength(1);
    expect((await defaultRoom())._id).toBe(room._id);
    const refused = await app.ask('DELETE', `/api/rooms/${room._id}`, { token: staff });
    expect(refused).toMatchObject({ status: 409, body: { code: 'default_room' } });
    const not = await app.ask('PUT', `/api/rooms/${room._id}`, { token: staff, json: { isDefault: false } });
    expect(not.status).toBe(400);
    await Promise.all([change(before._id, { isDefault: true }), change(room._id, { isDefault: true })]);
    expect((await listRooms()).filter(({ isDefault }) => isDefault)).toHaveLength(1);
    await change(before._id, { isDefault: true });
    await app.expect(200, 'DELETE', `/api/rooms/${room._id}`, { token: staff });
  });

  test('are changed by whoever manages rooms, and seen by a teacher', async () => {
    const { _id } = await makeRoom();
    const { token } = employee;
    expect((await listRooms(token)).length).toBeGreaterThan(1);
    for (const [method, url, json] of [
      ['POST', '/api/rooms', { name: 'Theirs' }],
      ['PUT', `/api/rooms/${_id}`, { name: 'Theirs' }],
      ['DELETE', `/api/rooms/${_id}`, undefined],
    ] as const)
      expect((await app.ask(method, url, { token, ...(json ? { json } : {}) })).status).toBe(403);
  });

  test('are not for parents', async () => {
    const { _id } = await makeRoom();
    for (const token of [undefined, family.token])
      for (const [method, url, json] of [
        ['GET', '/api/rooms', undefined],
        ['POST', '/api/rooms', { name: 'Theirs' }],
        ['PUT', `/api/rooms/${_id}`, { name: 'Theirs' }],
        ['DELETE', `/api/rooms/${_id}`, undefined],
        ['PUT', `/api/rooms/${_id}/staff`, { presence: 'here' }],
        ['POST', '/api/children/move', { childIds: ['a'], roomId: _id }],
      ] as const)
        expect((await app.ask(method, url, { token, ...(json ? { json } : {}) })).status).toBe(
          token === undefined ? 401 : 403,
        );
  });
});

describe('an area', () => {
  test('of a camera or sensor is a room: a new one is added, another spelling takes the name of the room', async () => {
    const camera = { name: 'Eye', area: 'Atelier', kind: 'browser' };
    await app.expect(201, 'POST', '/api/cameras', { token: staff, json: camera });
    const sensor = { name: 'Air', area: 'ATELIER', kind: 'haris' };
    const answer = await app.expect(201, 'POST', '/api/sensors', { token: staff, json: sensor });
    expect(answer.sensor.area).toBe('Atelier');
    const rooms = (await listRooms()).filter(({ name }) => name === 'Atelier');
    expect(rooms).toMatchObject([{ cameras: 1, sensors: 1 }]);
    await app.expect(200, 'PUT', `/api/sensors/${answer.sensor._id}`, {
      token: staff,
      json: { area: 'Loft' },
    });
    expect((await listRooms()).find(({ name }) => name === 'Loft')).toMatchObject({ sensors: 1 });
  });

  test('follows the new name of its room: cameras, sensors, limits, open alerts, and the search', async () => {
    const { db } = app.context;
    const camera = await app.expect(201, 'POST', '/api/cameras', {
      token: staff,
      json: { name: 'Old eye', area: 'Cellar', kind: 'browser' },
    });
    const sensor = await app.expect(201, 'POST', '/api/sensors', {
      token: staff,
      json: { name: 'Old nose', area: 'Cellar', kind: 'haris' },
    });
    await app.expect(200, 'PUT', '/api/settings', {
      token: staff,
      json: { areaAlarms: [{ area: 'Cellar', unknownPerson: true }] },
    });
    const incident = {
      facility_id: 'main',
      kind: 'temperature',
      condition: 'temperature x',
      area: 'Cellar',
      raised_at: app.clock.now(),
    } as const;
    await db
      .insertInto('incidents')
      .values([
        { ...incident, id: 'open', ...nothing },
        { ...incident, id: 'over', condition: 'temperature y', ...nothing, cleared_at: 1 },
      ])
      .execute();
    const room = (await listRooms()).find(({ name }) => name === 'Cellar');
    await change(String(room?._id), { name: 'Wine room' });
    const get = (url: string) => app.expect(200, 'GET', url, { token: staff });
    expect((await get(`/api/cameras/${camera.camera._id}`)).camera.area).toBe('Wine room');
    const found = async () => (await get('/api/sensors?search=wine')).sensors;
    // The server reads its list of sensors again in the background.
    await expect.poll(found, within).toMatchObject([{ _id: sensor.sensor._id, area: 'Wine room' }]);
    expect((await get('/api/cameras?search=cellar')).cameras).toEqual([]);
    const { settings } = await get('/api/settings');
    expect(settings.areaAlarms).toEqual([{ area: 'Wine room', unknownPerson: true }]);
    const areas = await db.selectFrom('incidents').select(['id', 'area']).orderBy('id').execute();
    expect(areas).toEqual([
      { id: 'open', area: 'Wine room' },
      { id: 'over', area: 'Cellar' },
    ]);
    await db.deleteFrom('incidents').execute();
  });

  test('keeps its room: with cameras, sensors or children inside it is not deleted; its limits go with it', async () => {
    const room = await makeRoom({ name: 'Kept' });
    const remove = () => app.ask('DELETE', `/api/rooms/${room._id}`, { token: staff });
    const { sensor } = await app.expect(201, 'POST', '/api/sensors', {
      token: staff,
      json: { name: 'Air', area: 'Kept', kind: 'haris' },
    });
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'room_in_use' } });
    await app.expect(200, 'DELETE', `/api/sensors/${sensor._id}`, { token: staff });
    const child = await addInside(room._id);
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'room_in_use' } });
    const { child: gone } = await checkOut(child);
    expect(gone.roomId).toBeNull();
    await app.expect(200, 'PUT', '/api/settings', {
      token: staff,
      json: { areaAlarms: [{ area: 'Kept', unknownPerson: true }] },
    });
    expect((await remove()).status).toBe(200);
    const { settings } = await app.expect(200, 'GET', '/api/settings', { token: staff });
    expect(settings.areaAlarms).toEqual([]);
  });
});

const nothing = {
  subject_kind: null,
  subject_id: null,
  parent_id: null,
  worst: null,
  threshold: null,
  calm_since: null,
  cleared_at: null,
  acknowledged_at: null,
  acknowledged_by: null,
  acknowledged_name: null,
} as const;

describe('a place', () => {
  test('in a full room with a hard limit is refused with its numbers; in one with a soft limit it is given', async () => {
    const hard = await makeRoom({ capacity: 1, capacityKind: 'hard' });
    const soft = await makeRoom({ capacity: 1, capacityKind: 'soft' });
    await addInside(hard._id);
    const late = await addChild();
    expect(await checkIn(late, { roomId: hard._id })).toMatchObject({
      status: 409,
      body: { code: 'room_full', room: { _id: hard._id, name: hard.name, capacity: 1, children: 1 } },
    });
    await addInside(soft._id);
    expect((await checkIn(late, { roomId: soft._id })).status).toBe(200);
    expect(await roomById(soft._id)).toMatchObject({ children: 2, isOverCapacity: true });
  });

  test('beyond a hard limit is given by whoever manages rooms with a reason, which the audit log has; by nobody else', async () => {
    const room = await makeRoom({ capacity: 1, capacityKind: 'hard' });
    const first = await addInside(room._id);
    const late = await addChild();
    const json = { roomId: room._id, overCapacityReason: 'The other room is closed' };
    expect((await checkIn(late, json, employee.token)).status).toBe(403);
    expect((await checkIn(late, json)).status).toBe(200);
    expect((await auditOf(late))[0]).toMatchObject({
      action: 'child.checked_in',
      details: { roomId: room._id, overCapacityReason: 'The other room is closed' },
    });
    for (const id of [first, late]) await checkOut(id);
  });

  test('a refusal is repeated for the same key, with the room', async () => {
    const room = await makeRoom({ capacity: 1, capacityKind: 'hard' });
    const inside = await addInside(room._id);
    // Only a child with a photo has a key under which answers are kept.
    const { _id } = await app.makeChild(family);
    const ask = () =>
      app.ask('POST', `/api/children/checkin-child/${_id}`, {
        token: staff,
        headers: { 'idempotency-key': 'the-last-place' },
        json: { roomId: room._id },
      });
    const first = await ask();
    expect(first).toMatchObject({ status: 409, body: { code: 'room_full' } });
    await checkOut(inside);
    expect((await ask()).bytes.equals(first.bytes)).toBe(true);
  });

  test('a room that is unknown is 404, and the child stays outside', async () => {
    const id = await addChild();
    expect((await checkIn(id, { roomId: 'nowhere' })).status).toBe(404);
    expect((await roomOf(id)).isInside).toBe(false);
    expect((await checkIn(id, { roomId: '' })).status).toBe(400);
  });

  test('two hundred check-ins at once for one last place: exactly one', async () => {
    const room = await makeRoom({ capacity: 3, capacityKind: 'hard' });
    const before = [await addInside(room._id), await addInside(room._id)];
    const ids = await addChildren(200);
    const answers = await Promise.all(ids.map((id) => checkInPatiently(id, { roomId: room._id })));
    const statuses = Map.groupBy(answers, ({ status, body }) => (status === 200 ? '200' : body.code));
    expect([...statuses].map(([what, all]) => [what, all.length]).sort()).toEqual([
      ['200', 1],
      ['room_full', 199],
    ]);
    const open = await app.context.db
      .selectFrom('stays')
      .select('child_id')
      .where('room_id', '=', room._id)
      .where('exit_time', 'is', null)
      .execute();
    expect(open).toHaveLength(3);
    for (const { child_id } of open) await checkOut(child_id);
    expect(before.every((id) => open.some(({ child_id }) => child_id === id))).toBe(true);
  });

  test('and so with moves and check-ins together; checkout works in a full room and in one beyond its limit', async () => {
    const room = await makeRoom({ capacity: 2, capacityKind: 'hard' });
    const first = await addInside(room._id);
    const others = await Promise.all(Array.from({ length: 10 }, () => addInside()));
    const ids = await addChildren(10);
    const answers = await Promise.all([
      ...others.map((id) => move([id], room._id)),
      ...ids.map((id) => checkIn(id, { roomId: room._id })),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'room_full')).toHaveLength(19);
    expect((await roomById(room._id))?.children).toBe(2);
    await change(room._id, { capacity: 1 });
    expect(await roomById(room._id)).toMatchObject({ isOverCapacity: true });
    const { child } = await checkOut(first);
    const undo = { token: staff, json: { uniqueEntryId: await entryOf(first) } };
    // The child is there: taking a checkout back asks for no place.
    await app.expect(200, 'POST', `/api/children/undo-checkout-child/${first}`, undo);
    expect(child.isInside).toBe(false);
    expect((await roomById(room._id))?.children).toBe(2);
  });

  test('a stay whose room was deleted goes on in the default room', async () => {
    const room = await makeRoom();
    const id = await addInside(room._id);
    const json = { uniqueEntryId: await entryOf(id) };
    await checkOut(id);
    await app.expect(200, 'DELETE', `/api/rooms/${room._id}`, { token: staff });
    await app.expect(200, 'POST', `/api/children/undo-checkout-child/${id}`, { token: staff, json });
    expect((await roomOf(id)).roomId).toBe((await defaultRoom())._id);
  });
});

async function entryOf(childId: string): Promise<string> {
  const row = await app.context.db
    .selectFrom('stays')
    .select('unique_entry_id')
    .where('child_id', '=', childId)
    .executeTakeFirstOrThrow();
  return row.unique_entry_id;
}

describe('a move', () => {
  test('of several children is recorded for each; who is there already stays', async () => {
    const [from, to] = [await makeRoom(), await makeRoom()];
    const ids = [await addInside(from._id), await addInside(from._id), await addInside(to._id)];
    app.clock.advance(60_000);
    const answer = await move(ids, to._id);
    expect(answer).toMatchObject({ status: 200, body: { room: { _id: to._id, children: 3 } } });
    expect(answer.body.children.map(({ room }) => room)).toEqual([to.name, to.name, to.name]);
    const again = await move(ids, to._id);
    expect(again.status).toBe(200);
    const moves = await app.context.db.selectFrom('room_moves').selectAll().execute();
    expect(moves.filter(({ to_room_id }) => to_room_id === to._id)).toHaveLength(2);
    const [entry] = await auditOf(String(ids[0]));
    expect(entry).toMatchObject({ action: 'child.moved', details: { from: from._id, to: to._id } });
    expect((await auditOf(String(ids[2]))).map(({ action }) => action)).not.toContain('child.moved');
    expect((await roomOf(String(ids[0]))).roomSince).toBe(new Date(app.clock.now()).toISOString());
  });

  test('is done for all or for none', async () => {
    const room = await makeRoom({ capacity: 2, capacityKind: 'hard' });
    const [outside, ...inside] = [await addChild(), await addInside(), await addInside(), await addInside()];
    for (const [ids, status, code] of [
      [inside, 409, 'room_full'],
      [[inside[0], outside], 409, 'not_inside'],
      [[inside[0], 'nobody'], 404, 'not_found'],
    ] as const)
      expect(await move(ids.map(String), room._id)).toMatchObject({ status, body: { code } });
    expect((await roomById(room._id))?.children).toBe(0);
    expect((await move(inside.map(String), 'nowhere')).status).toBe(404);
    expect((await move([], room._id)).status).toBe(400);
    const reason = { overCapacityReason: 'Storm' };
    expect((await move(inside, room._id, reason, employee.token)).status).toBe(403);
    expect((await move(inside, room._id, reason)).status).toBe(200);
    expect((await auditOf(String(inside[0])))[0]?.details).toMatchObject(reason);
  });

  test('arrives at another desk and at the phone of the family, with the room; at no other phone', async () => {
    const { port } = app.app.server.address() as { port: number };
    const stranger = await app.makeFamily();
    const devices = await Promise.all(
      [employee.token, family.token, stranger.token].map((token) => openEvents(port, token)),
    );
    const room = await makeRoom();
    const id = await addInside();
    expect((await move([id], room._id)).status).toBe(200);
    // Events arrive in order: a phone that gets this one would have got the move before it.
    await app.expect(200, 'PUT', `/api/parent/update-parent/${stranger.id}`, {
      token: staff,
      form: { name: 'Another Name' },
    });
    const movedAt = (device: number) =>
      devices[device]?.events
        .filter(({ type }) => type === 'child.moved')
        .map(({ data }) => data.child?.room);
    await expect.poll(() => movedAt(0), within).toEqual([room.name]);
    await expect.poll(() => movedAt(1), within).toEqual([room.name]);
    await expect.poll(() => devices[2]?.events.length, within).toBe(1);
    expect(movedAt(2)).toEqual([]);
    for (const device of devices) device.close();
  });

  test('is told to staff and to the family, and two moves of the same children at once end in one room', async () => {
    const { port } = app.app.server.address() as { port: number };
    const client = await openEvents(port, family.token);
    const [one, two] = [await makeRoom(), await makeRoom()];
    const ids = [await addInside(), await addInside(), await addInside()];
    const answers = await Promise.all([move(ids, one._id), move(ids.toReversed(), two._id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const rooms = new Set((await Promise.all(ids.map(roomOf))).map(({ roomId }) => roomId));
    expect(rooms.size).toBe(1);
    await expect
      .poll(() => client.events.filter(({ type }) => type === 'child.moved').length, within)
      .toBe(6);
    expect(client.events.at(-1)?.data.child?.room).toBeTruthy();
    client.close();
  });
});

describe('a parent', () => {
  const listOf = async ({ token }: Family) =>
    (await app.expect(200, 'GET', '/api/children/get-all-children', { token })).children;
  let own: Family;
  const seen = async (id: string) => (await listOf(own)).find(({ _id }) => _id === id);
  beforeAll(async () => {
    own = await app.makeFamily();
  });

  test('is told the room of the own child, and since when; a stranger is told nothing', async () => {
    const room = await makeRoom();
    const [id = ''] = await addChildren(1, own);
    expect((await checkIn(id, { roomId: room._id })).status).toBe(200);
    const since = new Date(app.clock.now()).toISOString();
    expect(await seen(id)).toMatchObject({ roomId: room._id, room: room.name, roomSince: since });
    expect(await listOf(await app.makeFamily())).toEqual([]);
    await checkOut(id);
    expect(await seen(id)).toMatchObject({ roomId: null, room: null });
  });

  test('is told no default room that nobody chose; is told it once it is set up, a home room, or moved to', async () => {
    const usual = await defaultRoom();
    const [id = '', homely = '', moved = ''] = await addChildren(3, own);
    for (const one of [id, moved]) expect((await checkIn(one)).status).toBe(200);
    expect(await roomOf(id)).toMatchObject({ roomId: usual._id });
    const unknown = await seen(id);
    expect(unknown).toMatchObject({ isInside: true, roomId: null, room: null });
    expect(unknown).not.toHaveProperty('roomSince');
    await app.expect(200, 'PUT', `/api/children/update-child/${homely}`, {
      token: staff,
      json: { homeRoomId: usual._id },
    });
    expect((await checkIn(homely)).status).toBe(200);
    expect(await seen(homely)).toMatchObject({ room: usual.name });
    const other = await makeRoom();
    app.clock.advance(1000);
    for (const { _id } of [other, usual]) expect((await move([moved], _id)).status).toBe(200);
    expect(await seen(moved)).toMatchObject({ room: usual.name });
    await change(usual._id, { ratios: [{ underMonths: 36, childrenPerStaff: 6 }] });
    expect(await seen(id)).toMatchObject({ room: usual.name });
    await change(usual._id, { ratios: [] });
    for (const one of [id, homely, moved]) await checkOut(one);
  });
});

describe('staff', () => {
  const say = (id: string, presence: string, token: string) =>
    app.expect(200, 'PUT', `/api/rooms/${id}/staff`, { token, json: { presence } });

  test('are in the room that they chose last, until they go or the day ends', async () => {
    const [one, two] = [await makeRoom(), await makeRoom()];
    const { room } = await say(one._id, 'here', employee.token);
    expect(room.staff).toMatchObject([{ _id: employee.id, name: employee.name }]);
    app.clock.advance(60_000);
    // A repetition changes nothing.
    expect((await say(one._id, 'here', employee.token)).room.staff).toEqual(room.staff);
    await say(two._id, 'here', employee.token);
    expect((await roomById(one._id))?.staff).toEqual([]);
    await say(one._id, 'gone', employee.token);
    expect((await roomById(two._id))?.staff).toHaveLength(1);
    await say(two._id, 'gone', employee.token);
    expect((await roomById(two._id))?.staff).toEqual([]);
    const actions = [...(await auditOf(one._id)), ...(await auditOf(two._id))];
    expect(actions.map(({ action }) => action).filter((action) => action.startsWith('room.staff'))).toEqual([
      'room.staff_here',
      'room.staff_gone',
      'room.staff_here',
    ]);
    await say(two._id, 'here', employee.token);
    // Signing out does not clock out: the person is in the building.
    await app.expect(204, 'POST', '/api/logout', { token: employee.token });
    expect((await roomById(two._id))?.staff).toHaveLength(1);
    app.clock.advance(24 * 3_600_000);
    staff = await app.staff();
    expect((await roomById(two._id))?.staff).toEqual([]);
    await endPastPresences(app.context);
    const open = app.context.db.selectFrom('room_staff').selectAll().where('to_at', 'is', null);
    expect(await open.execute()).toEqual([]);
  });

  test('who press in two rooms at once are in one', async () => {
    const rooms = [await makeRoom(), await makeRoom(), await makeRoom()];
    await Promise.all(rooms.map(({ _id }) => say(_id, 'here', staff)));
    const present = (await listRooms()).flatMap((room) => room.staff);
    expect(present).toHaveLength(1);
  });
});

test('who is erased leaves no moves and no hours in a room', async () => {
  const room = await makeRoom();
  const id = await addInside();
  await move([id], room._id);
  await checkOut(id);
  const colleague = await app.makeEmployee();
  const here = { token: colleague.token, json: { presence: 'here' } };
  await app.expect(200, 'PUT', `/api/rooms/${room._id}/staff`, here);
  const left = async () => {
    const { db } = app.context;
    const moves = await db.selectFrom('room_moves').where('to_room_id', '=', room._id).selectAll().execute();
    const hours = await db.selectFrom('room_staff').where('room_id', '=', room._id).selectAll().execute();
    return [moves.length, hours.length];
  };
  expect(await left()).toEqual([1, 1]);
  const token = await app.staff();
  await app.expect(200, 'DELETE', `/api/children/delete-child/${id}`, { token });
  await app.expect(200, 'DELETE', `/api/admin/delete-admin/${colleague.id}`, { token });
  expect(await left()).toEqual([0, 0]);
});
