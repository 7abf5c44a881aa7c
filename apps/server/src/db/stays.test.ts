/** Queries of stays that no route reaches: two servers at once, clocks that were set back, void stays. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inFacility, MAIN_FACILITY } from '../facility.ts';
import { type Family, startTestApp, type TestApp } from '../testing/harness.ts';
import { findLaterStays } from './past-stays.ts';
import {
  beginStay,
  endStay,
  findStayByEntryId,
  findStaysToAnnounce,
  isAnyInside,
  markTimeUp,
  voidStay,
} from './stays.ts';
import { inTransaction, type Tx } from './transaction.ts';

let app: TestApp;
let family: Family;
let childId: string;

beforeAll(async () => {
  app = await startTestApp();
  family = await app.makeFamily();
});
afterAll(() => app.close());
beforeEach(async () => {
  childId = (await app.makeChild(family))._id;
});

const write = <T>(work: (trx: Tx['trx']) => Promise<T>) =>
  inFacility(MAIN_FACILITY, () => inTransaction(app.context.db, ({ trx }) => work(trx)));

/** Checks the child in for 30 minutes. */
const begin = (id: string, at: number) =>
  write((trx) =>
    beginStay(
      trx,
      { id, entryId: `entry ${id}`, childId, durationInMinutes: 30, roomId: 'a room' },
      { by: 'desk', at },
    ),
  );
const end = (at: number) => write((trx) => endStay(trx, childId, { by: 'desk', at }));
const find = async (id: string) => {
  const stay = await findStayByEntryId(app.context.db, `entry ${id}`);
  if (!stay) throw new Error('no such stay');
  return stay;
};

test('a child is inside once, and again after its checkout', async () => {
  const [one, two, three] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  expect(await begin(one, 1_000)).toBe(true);
  expect(await begin(two, 2_000)).toBe(false);
  expect(await isAnyInside(app.context.db, [childId])).toBe(true);
  expect(await end(3_000)).toEqual({ id: one, entry_time: 1_000 });
  expect(await end(4_000)).toBeUndefined();
  expect(await isAnyInside(app.context.db, [childId])).toBe(false);
  expect(await isAnyInside(app.context.db, [])).toBe(false);
  expect(await begin(three, 5_000)).toBe(true);
});

test('a stay is announced from the moment it is due, once, and not after the checkout', async () => {
  const [id, gone] = [crypto.randomUUID(), crypto.randomUUID()];
  await begin(gone, 0);
  await end(1_000);
  expect(await write((trx) => markTimeUp(trx, gone, 1_800_000))).toBe(false);
  await begin(id, 0);
  const due = async (now: number) =>
    (await findStaysToAnnounce(app.context.db, now)).map((stay) => stay.id).filter((one) => one === id);
  expect(await due(1_799_999)).toEqual([]);
  expect(await due(1_800_000)).toEqual([id]);
  expect(await write((trx) => markTimeUp(trx, id, 1_800_000))).toBe(true);
  expect(await write((trx) => markTimeUp(trx, id, 1_800_001))).toBe(false);
  expect(await due(1_900_000)).toEqual([]);
});

test('later stays: an open one even if the clock was set back, never a void one', async () => {
  const [first, voided, open] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  await begin(first, 10_000);
  await end(20_000);
  const later = async () => findLaterStays(app.context.db, await find(first));
  await begin(voided, 30_000);
  expect(await later()).toEqual([{ exit_time: null }]);
  const stay = await find(voided);
  await write((trx) => voidStay(trx, stay, { by: 'desk', at: 31_000 }));
  expect(await later()).toEqual([]);
  expect(await find(voided)).toMatchObject({ exit_time: 31_000, voided_at: 31_000 });
  await begin(open, 5_000);
  expect(await later()).toEqual([{ exit_time: null }]);
  await end(6_000);
  expect(await later()).toEqual([]);
});
