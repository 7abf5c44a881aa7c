/** Who clocks in to rooms of two facilities is in one of them (decisions 043 and 048). */
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inFacility, MAIN_FACILITY } from '../../facility.ts';
import { readDay } from '../../rooms/state.ts';
import { atFacility, makeFacility, manageAt } from '../../testing/at-facility.ts';
import { type Employee, startTestApp, type TestApp } from '../../testing/harness.ts';
import { openEvents } from '../../testing/sse.ts';

const within = { timeout: 60_000 };
let app: TestApp;
let there: TestApp;
let second: string;
/** Works at both facilities. */
let employee: Employee;
/** The one room of each facility. */
let here: string;
let elsewhere: string;

beforeAll(async () => {
  app = await startTestApp();
  second = await makeFacility(app, 'Full Moon');
  there = atFacility(app, second);
  employee = await app.makeEmployee();
  await manageAt(app, employee, MAIN_FACILITY, second);
  [here, elsewhere] = [await roomOf(app), await roomOf(there)];
});
afterAll(() => app.close());
beforeEach(() => app.forgetLimits());

async function listRooms(at: TestApp) {
  return (await at.expect(200, 'GET', '/api/rooms', { token: await app.staff() })).rooms;
}
async function roomOf(at: TestApp): Promise<string> {
  const [room] = await listRooms(at);
  if (!room) throw new Error('a facility begins with a room');
  return room._id;
}
const say = (at: TestApp, id: string, presence: 'here' | 'gone', token = employee.token) =>
  at.ask('PUT', `/api/rooms/${id}/staff`, { token, json: { presence } });
const staffOf = async (at: TestApp) =>
  (await listRooms(at)).flatMap(({ staff }) => staff.map(({ _id }) => _id));
const actionsOf = async (at: TestApp, id: string) => {
  const ask = { token: await app.staff() };
  const { entries } = await at.expect(200, 'GET', `/api/audit?subject=${id}`, ask);
  return entries.map(({ action }) => action).filter((action) => action.startsWith('room.staff'));
};

test('clocking in at one ends being in a room of the other, and the screens of both hear of it', async () => {
  expect((await say(there, elsewhere, 'here')).status).toBe(200);
  expect([await staffOf(app), await staffOf(there)]).toEqual([[], [employee.id]]);
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.app.server.address() as AddressInfo;
  const colleagues = [await app.makeEmployee(), await there.makeEmployee()];
  const screens = await Promise.all(colleagues.map(({ token }) => openEvents(port, token)));
  app.clock.advance(60_000);
  const { status, body } = await say(app, here, 'here');
  expect(status).toBe(200);
  expect(body.room.staff).toMatchObject([{ _id: employee.id }]);
  expect([await staffOf(app), await staffOf(there)]).toEqual([[employee.id], []]);
  for (const { events } of screens)
    await expect.poll(() => events.map(({ type }) => type), within).toEqual(['room.updated']);
  for (const screen of screens) screen.close();
  expect(await actionsOf(there, elsewhere)).toEqual(['room.staff_gone', 'room.staff_here']);
  expect(await actionsOf(app, here)).toEqual(['room.staff_here']);
  // A repetition changes nothing, and who is here cannot go there.
  expect((await say(app, here, 'here')).status).toBe(200);
  expect((await say(there, elsewhere, 'gone')).status).toBe(200);
  expect([await staffOf(app), await staffOf(there)]).toEqual([[employee.id], []]);
  expect(await actionsOf(there, elsewhere)).toHaveLength(2);
  expect(await actionsOf(app, here)).toHaveLength(1);
});

test('who presses at both at once is in one room', async () => {
  for (let round = 0; round < 4; round++) {
    const answers = await Promise.all([say(app, here, 'here'), say(there, elsewhere, 'here')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect([...(await staffOf(app)), ...(await staffOf(there))]).toEqual([employee.id]);
  }
});

test('a room of the other facility alone is unknown here, and nobody without a session is anywhere', async () => {
  expect((await say(app, elsewhere, 'here')).status).toBe(404);
  expect((await app.ask('PUT', `/api/rooms/${here}/staff`, { json: { presence: 'here' } })).status).toBe(401);
});

test('a day there that has ended stays as it ended', async () => {
  // The test before may have left the person in either room.
  expect((await say(there, elsewhere, 'gone')).status).toBe(200);
  app.clock.advance(60_000);
  expect((await say(there, elsewhere, 'here')).status).toBe(200);
  const before = await actionsOf(there, elsewhere);
  app.clock.advance(24 * 3_600_000);
  const token = await app.signIn('admin', employee.email, employee.password);
  expect((await say(app, here, 'here', token)).status).toBe(200);
  expect(await staffOf(app)).toEqual([employee.id]);
  expect(await actionsOf(there, elsewhere)).toEqual(before);
  const [row] = await app.context.db
    .selectFrom('room_staff')
    .select('to_at')
    .where('room_id', '=', elsewhere)
    .orderBy('from_at', 'desc')
    .limit(1)
    .execute();
  const { start } = await inFacility(second, () => readDay(app.context.db, app.context));
  expect(row?.to_at).toBe(start);
});
