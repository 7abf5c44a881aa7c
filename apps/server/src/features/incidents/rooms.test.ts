/** Rooms over their capacity and rooms with too few staff, by the test's clock (decision 043). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertChild, setBirthDate } from '../../db/children.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

const MINUTE = 60_000;
let app: TestApp;
let staff: string;
let family: Family;
let number = 0;

beforeAll(async () => {
  app = await startTestApp();
  family = await app.makeFamily();
});
beforeEach(async () => {
  app.clock.advance(24 * 60 * MINUTE);
  staff = await app.staff();
});
afterAll(() => app.close());

const makeRoom = async (over: object) =>
  (
    await app.expect(201, 'POST', '/api/rooms', {
      token: staff,
      json: { name: `Room ${++number}`, ...over },
    })
  ).room;
const roomOf = async (id: string) =>
  (await app.expect(200, 'GET', '/api/rooms', { token: staff })).rooms.find(({ _id }) => _id === id);
const open = async (kind: string, token = staff) =>
  (await app.expect(200, 'GET', `/api/incidents?state=open&kind=${kind}`, { token })).incidents;
async function sweep(ms = 0): Promise<void> {
  app.clock.advance(ms);
  await app.app.incidents.sweep();
}
/** A child in the room; `birthDate` as `YYYY-MM-DD`. */
async function checkIn(roomId: string, birthDate?: string): Promise<string> {
  const id = randomUUID();
  await inTransaction(app.context.db, async ({ trx }) => {
    await insertChild(trx, {
      id,
      parentId: family.id,
      name: 'A Child',
      facility: 'main',
      createdAt: app.clock.now(),
      isConfirmed: true,
    });
    if (birthDate !== undefined) await setBirthDate(trx, id, birthDate);
  });
  await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, {
    token: staff,
    json: { roomId, durationInMinutes: 240 },
  });
  return id;
}
const checkOut = (id: string) =>
  app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });
const say = (roomId: string, presence: 'here' | 'gone', token = staff) =>
  app.expect(200, 'PUT', `/api/rooms/${roomId}/staff`, { token, json: { presence } });

test('more children than the capacity are an alert after a minute, for staff alone, and clear by themselves', async () => {
  const room = await makeRoom({ capacity: 1, capacityKind: 'soft' });
  const [first, second] = [await checkIn(room._id), await checkIn(room._id)];
  await sweep();
  await sweep(MINUTE - 1);
  expect(await open('room_over_capacity')).toEqual([]);
  await sweep(1);
  expect(await open('room_over_capacity')).toMatchObject([
    {
      kind: 'room_over_capacity',
      severity: 'care',
      area: room.name,
      subjects: [{ kind: 'room', _id: room._id, name: room.name, until: null }],
    },
  ]);
  expect(await open('room_over_capacity', family.token)).toEqual([]);
  await checkOut(first);
  await sweep();
  await sweep(10_000);
  expect(await open('room_over_capacity')).toEqual([]);
  await checkOut(second);
});

test('a moment over the capacity, as in a hand-over, is none', async () => {
  const room = await makeRoom({ capacity: 1, capacityKind: 'soft' });
  const [first, second] = [await checkIn(room._id), await checkIn(room._id)];
  await sweep();
  await sweep(MINUTE / 2);
  await checkOut(first);
  await sweep(MINUTE / 2);
  const third = await checkIn(room._id);
  await sweep();
  await sweep(MINUTE / 2);
  expect(await open('room_over_capacity')).toEqual([]);
  for (const id of [second, third]) await checkOut(id);
});

test('the youngest child decides the ratio; a child without a birth date counts as the youngest band', async () => {
  const ratios = [
    { underMonths: 24, childrenPerStaff: 1 },
    { underMonths: 48, childrenPerStaff: 3 },
  ];
  const room = await makeRoom({ ratios });
  // The test's days are in November 2026.
  const three = [
    await checkIn(room._id, '2023-10-01'),
    await checkIn(room._id, '2023-10-02'),
    await checkIn(room._id, '2023-10-03'),
  ];
  expect((await roomOf(room._id))?.ratio).toEqual({ childrenPerStaff: 3, staffNeeded: 1 });
  const baby = await checkIn(room._id, '2025-12-01');
  expect((await roomOf(room._id))?.ratio).toEqual({ childrenPerStaff: 1, staffNeeded: 4 });
  await checkOut(baby);
  const unknown = await checkIn(room._id);
  expect((await roomOf(room._id))?.ratio).toEqual({ childrenPerStaff: 1, staffNeeded: 4 });
  await checkOut(unknown);
  for (const id of three) await checkOut(id);
  expect((await roomOf(room._id))?.ratio).toBeNull();
});

test('the last band counts for whoever is older than every band; a room without ratios needs nobody', async () => {
  const ratios = [
    { underMonths: 24, childrenPerStaff: 1 },
    { underMonths: 48, childrenPerStaff: 3 },
  ];
  const room = await makeRoom({ ratios });
  const plain = await makeRoom({});
  const old = [];
  for (const day of ['01', '02', '03', '04']) old.push(await checkIn(room._id, `2020-01-${day}`));
  expect((await roomOf(room._id))?.ratio).toEqual({ childrenPerStaff: 3, staffNeeded: 2 });
  old.push(await checkIn(plain._id, '2020-01-05'));
  expect((await roomOf(plain._id))?.ratio).toBeNull();
  for (const id of old) await checkOut(id);
});

test('too few staff are an alert once somebody has clocked in today; silence is not zero staff', async () => {
  const room = await makeRoom({ ratios: [{ underMonths: 72, childrenPerStaff: 1 }] });
  const other = await makeRoom({});
  const children = [await checkIn(room._id), await checkIn(room._id)];
  await sweep();
  await sweep(2 * MINUTE);
  expect(await roomOf(room._id)).toMatchObject({ isUnderstaffed: null });
  expect(await open('room_understaffed')).toEqual([]);
  const { token } = await app.makeEmployee();
  await say(other._id, 'here', token);
  expect(await roomOf(room._id)).toMatchObject({ isUnderstaffed: true });
  await sweep();
  await sweep(MINUTE);
  expect(await open('room_understaffed')).toMatchObject([
    { subjects: [{ _id: room._id }], severity: 'care' },
  ]);
  await say(room._id, 'here', token);
  await say(room._id, 'here');
  await sweep();
  await sweep(10_000);
  expect(await open('room_understaffed')).toEqual([]);
  // Whoever has gone was there today, so that the room is judged still.
  await say(room._id, 'gone', token);
  await say(room._id, 'gone');
  expect(await roomOf(room._id)).toMatchObject({ isUnderstaffed: true });
  for (const id of children) await checkOut(id);
  expect(await roomOf(room._id)).toMatchObject({ isUnderstaffed: false });
});

test('a room that is deleted, or renamed, takes its alert along', async () => {
  const room = await makeRoom({ capacity: 1, capacityKind: 'soft' });
  const children = [await checkIn(room._id), await checkIn(room._id)];
  await sweep();
  await sweep(MINUTE);
  await app.expect(200, 'PUT', `/api/rooms/${room._id}`, { token: staff, json: { name: 'Renamed' } });
  expect(await open('room_over_capacity')).toMatchObject([{ area: 'Renamed', subject: { name: 'Renamed' } }]);
  for (const id of children) await checkOut(id);
  await app.expect(200, 'DELETE', `/api/rooms/${room._id}`, { token: staff });
  await sweep();
  await sweep(10_000);
  expect(await open('room_over_capacity')).toEqual([]);
});
