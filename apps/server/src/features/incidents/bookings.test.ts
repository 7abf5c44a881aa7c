/** "Expected, not here" with several servers, and with a check-in in the very second of the question (decision 051). */
import { BOOKINGS_KEPT_DAYS } from '@haris/contract/constants';
import { localDay, nextDay } from '@haris/contract/zone-time';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { endAllLeases, keepLease } from '../../db/leases.ts';
import { inFacility, MAIN_FACILITY } from '../../facility.ts';
import { cleanOnce } from '../../housekeeping.ts';
import { bookEveryDay, everyDay } from '../../testing/bookings.ts';
import { type Family, startTestApp, type TestApp, testDialect } from '../../testing/harness.ts';
import { reconcile } from './detection.ts';
import { detectMissingChildren } from './kinds/bookings.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
let app: TestApp;
let staff: string;
let family: Family;
let child: string;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
});
beforeEach(async () => {
  await app.forgetLimits();
  family = await app.makeFamily();
  child = (await app.makeChild(family))._id;
  await bookEveryDay(app, staff, child);
});
afterEach(async () => {
  await app.context.db.deleteFrom('booking_patterns').execute();
  await endAllLeases(app.context.db);
  await app.app.incidents.sweep();
});
afterAll(() => app.close());

const rows = () =>
  app.context.db
    .selectFrom('incidents')
    .select(['for_staff', 'cleared_at', 'parent_id'])
    .where('kind', '=', 'expected_not_here')
    .where('raised_at', '>=', app.clock.now() - 60 * MINUTE)
    .execute();
const ofFamily = async () => (await rows()).filter(({ parent_id }) => parent_id === family.id);

test.runIf(testDialect === 'postgres')(
  'two servers that sweep at once ask once, and tell the desk once',
  async () => {
    const other = await startTestApp({ beside: app });
    try {
      for (const minutes of [15, 15, 1]) {
        app.clock.advance(minutes * MINUTE);
        await Promise.all([app.app.incidents.sweep(), other.app.incidents.sweep()]);
        // The next time, the other one may be first.
        await endAllLeases(app.context.db);
      }
      expect(await ofFamily()).toHaveLength(1);
      expect((await rows()).filter(({ for_staff }) => for_staff === 1)).toHaveLength(1);
      const steps = await app.context.db
        .selectFrom('incident_steps')
        .innerJoin('incidents', 'incidents.id', 'incident_steps.incident_id')
        .select('incident_steps.phase')
        .where('incidents.parent_id', '=', family.id)
        .execute();
      expect(steps).toEqual([{ phase: 'raised' }]);
    } finally {
      await other.close();
    }
  },
);

test('a check-in between the look and the question: nobody is asked', async () => {
  app.clock.advance(15 * MINUTE);
  await endAllLeases(app.context.db);
  const lease = await keepLease(app.context.leases, 'incidents', 10_000).hold();
  if (!lease) throw new Error('no lease');
  await inFacility(MAIN_FACILITY, async () => {
    const found = await detectMissingChildren(app.context)(app.clock.now());
    expect(found?.findings).toHaveLength(1);
    await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: staff });
    if (found) await reconcile(app.context, found, lease);
  });
  expect(await ofFamily()).toEqual([]);
});

test('the family is asked again once a mistaken check-in is undone', async () => {
  app.clock.advance(10 * MINUTE);
  const { child: inside } = await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, {
    token: staff,
  });
  app.clock.advance(10_000);
  await app.expect(200, 'POST', `/api/children/undo-checkin-child/${child}`, {
    token: staff,
    json: { uniqueEntryId: inside.uniqueEntryId },
  });
  await app.app.incidents.sweep();
  expect(await ofFamily()).toEqual([]);
  app.clock.advance(5 * MINUTE);
  await app.app.incidents.sweep();
  expect(await ofFamily()).toHaveLength(1);
});

test('old days, absences and replaced weeks are deleted; the week in force stays', async () => {
  const { db } = app.context;
  const today = localDay(app.clock.now(), (await bookings()).timeZone);
  const days = { from: today, to: nextDay(today), reason: 'other' };
  await app.expect(201, 'POST', `/api/children/${child}/absences`, { token: staff, json: days });
  await app.expect(200, 'PUT', `/api/children/${child}/bookings/days/${today}`, {
    token: staff,
    json: { times: null },
  });
  const json = { validFrom: nextDay(today), week: everyDay('09:00', '12:00') };
  await app.expect(200, 'PUT', `/api/children/${child}/bookings`, { token: staff, json });
  const count = async () => {
    const found = [];
    for (const table of ['booking_patterns', 'booking_exceptions', 'absences'] as const)
      found.push((await db.selectFrom(table).select('child_id').execute()).length);
    return found;
  };
  await cleanOnce(app.context);
  expect(await count()).toEqual([2, 1, 1]);
  // Long ago; a clock that jumps by months would stop all deletions.
  const past = (daysAgo: number) => localDay(app.clock.now() - daysAgo * DAY, 'UTC');
  await db
    .updateTable('booking_patterns')
    .set({ valid_from: past(BOOKINGS_KEPT_DAYS + 9) })
    .where('valid_from', '=', today)
    .execute();
  await db
    .updateTable('booking_patterns')
    .set({ valid_from: past(BOOKINGS_KEPT_DAYS + 3) })
    .where('valid_from', '=', json.validFrom)
    .execute();
  await db
    .updateTable('absences')
    .set({ to_day: past(BOOKINGS_KEPT_DAYS + 3) })
    .execute();
  await db
    .updateTable('booking_exceptions')
    .set({ day: past(BOOKINGS_KEPT_DAYS + 3) })
    .execute();
  await cleanOnce(app.context);
  expect(await count()).toEqual([1, 0, 0]);
  expect((await bookings()).patterns).toMatchObject([{ week: everyDay('09:00', '12:00') }]);
});

async function bookings() {
  const { bookings: all } = await app.expect(200, 'GET', `/api/children/${child}/bookings`, {
    token: staff,
  });
  const [one] = all;
  if (!one) throw new Error('no bookings');
  return one;
}
