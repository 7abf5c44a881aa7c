/** A clock that jumped deletes nothing, locks nobody out for longer, and delays no alarm. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openClockGuard } from './clock-guard.ts';
import { writeMeta } from './db/meta.ts';
import { insertReadings } from './db/sensor-readings.ts';
import { cleanOnce } from './housekeeping.ts';
import { makeClock } from './testing/clock.ts';
import { type Family, startTestApp, type TestApp } from './testing/harness.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let app: TestApp;
let family: Family;

beforeAll(async () => {
  app = await startTestApp();
  family = await app.makeFamily();
});
afterAll(() => app.close());

/** Position of the newest event. */
async function lastEvent(): Promise<number> {
  const { last } = await app.context.db
    .selectFrom('events')
    .select((eb) => eb.fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  return Number(last);
}

/**
 * Counts rows of the tables from which old rows are deleted; of events those up to `event`, because work in the
 * background adds some where the clock is wrong.
 */
async function countRows(event: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of ['sensor_readings', 'events', 'sessions', 'sightings', 'one_time_tokens'] as const) {
    const { count } = await app.context.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .$if(table === 'events', (rows) => rows.where('id', '<=', event))
      .executeTakeFirstOrThrow();
    counts[table] = Number(count);
  }
  return counts;
}

test('a clock 400 days ahead deletes nothing; once it is right again, time goes on and deletes what is old', async () => {
  const { db, clock } = app.context;
  const token = await app.staff();
  const { sensor } = await app.expect(201, 'POST', '/api/sensors', {
    token,
    json: { name: 'Room', area: 'Hall', kind: 'haris' },
  });
  const reading = { sensor_id: sensor._id, at: clock.now(), temperature: 20, humidity: 40, mq2: 100 };
  await insertReadings(db, [reading]);
  await app.expect(200, 'POST', '/vendor/forgot', { json: { email: family.email } });
  await cleanOnce(app.context);
  const event = await lastEvent();
  const before = await countRows(event);
  expect(before).toMatchObject({ sensor_readings: 1, one_time_tokens: expect.any(Number) });

  app.clock.advance(400 * DAY);
  await cleanOnce(app.context);
  expect(await countRows(event)).toEqual(before);
  expect(app.context.clockGuard.state()).toBe('ahead');
  expect(app.logLines.some((line) => line.includes('more than a day ahead'))).toBe(true);

  app.clock.advance(-400 * DAY);
  await cleanOnce(app.context);
  expect(await countRows(event)).toEqual(before);
  expect(app.context.clockGuard.state()).toBe('ok');

  for (let hour = 0; hour < 24 * 10; hour += 12) {
    app.clock.advance(12 * HOUR);
    await cleanOnce(app.context);
  }
  const after = await countRows(event);
  expect(after.sensor_readings).toBe(0);
  expect(after.events).toBe(0);
});

test('an installation that was off for two months is well by itself after a day of running, over several starts', async () => {
  const { db } = app.context;
  const clock = makeClock(app.clock.now());
  let uptime = 0;
  const open = () => openClockGuard(db, clock, () => uptime);
  expect(await open().look()).toBe(false);
  clock.advance(60 * DAY);
  let guard = open();
  expect(await guard.look()).toBe(true);
  const runFor = async (ms: number): Promise<boolean> => {
    let isAhead = true;
    for (let ran = 0; ran < ms; ran += 60_000) {
      uptime += 60_000;
      clock.advance(60_000);
      isAhead = await guard.look();
    }
    return isAhead;
  };
  expect(await runFor(20 * HOUR)).toBe(true);
  // Switched off for the night: a sleeping machine adds no uptime.
  clock.advance(12 * HOUR);
  guard = open();
  uptime += 12 * HOUR;
  expect(await guard.look()).toBe(true);
  expect(await runFor(3 * HOUR)).toBe(true);
  expect(await runFor(HOUR)).toBe(false);
  expect(guard.state()).toBe('ok');
});

test('a computer that boots in 1970 and then asks for the time is not ahead of it', async () => {
  const { db } = app.context;
  const clock = makeClock(app.clock.now());
  await writeMeta(db, 'known_time', JSON.stringify({ at: clock.now(), doubtedMs: 0 }));
  let uptime = 0;
  const guard = openClockGuard(db, clock, () => uptime);
  expect(await guard.look()).toBe(false);
  const away = clock.now() - 60_000;
  clock.advance(-away);
  expect(await guard.look()).toBe(false);
  expect(guard.state()).toBe('ok');
  for (let ran = 0; ran < 20 * HOUR; ran += 5 * 60_000) {
    uptime += 5 * 60_000;
    clock.advance(5 * 60_000);
    expect(await guard.look()).toBe(false);
  }
  expect(guard.state()).toBe('behind');
  clock.advance(away);
  expect(await guard.look()).toBe(false);
  expect(guard.state()).toBe('ok');
  // A wrong time that no computer starts with is told as before.
  clock.advance(60 * DAY);
  expect(await guard.look()).toBe(true);
});

test('two servers with one wrong clock believe it after a day of running, not after half of one', async () => {
  const { db } = app.context;
  const clock = makeClock(app.clock.now());
  await writeMeta(db, 'known_time', JSON.stringify({ at: clock.now(), doubtedMs: 0 }));
  let uptime = 0;
  const guards = [openClockGuard(db, clock, () => uptime), openClockGuard(db, clock, () => uptime)] as const;
  clock.advance(60 * DAY);
  const runFor = async (ms: number): Promise<void> => {
    for (let ran = 0; ran < ms; ran += 60_000) {
      for (const guard of guards) {
        uptime += 30_000;
        clock.advance(30_000);
        await guard.look();
      }
    }
  };
  await runFor(23 * HOUR);
  expect(guards.map((guard) => guard.state())).toEqual(['ahead', 'ahead']);
  await runFor(HOUR + 120_000);
  expect(guards.map((guard) => guard.state())).toEqual(['ok', 'ok']);
});

test('a clock set back an hour locks nobody out for longer than the window', async () => {
  const from = '203.0.113.7';
  const wrong = { json: { email: family.email, password: `not-${randomUUID()}` }, from };
  const url = '/api/parent/get-parent-by-email-and-password';
  app.clock.advance(HOUR);
  for (let times = 0; times < 5; times++) await app.expect(401, 'POST', url, wrong);
  expect((await app.ask('POST', url, wrong)).status).toBe(429);
  app.clock.advance(-HOUR);
  const refused = await app.ask('POST', url, wrong);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(900);
  app.clock.advance(15 * 60_000 + 1_000);
  const right = { json: { email: family.email, password: family.password }, from };
  await app.expect(200, 'POST', url, right);
});

test('a step that was claimed while the clock was an hour ahead is told at once when it is right again', async () => {
  const token = await app.staff();
  const { evacuation } = await app.expect(201, 'POST', '/api/evacuations', { token, json: {} });
  const { db } = app.context;
  await db
    .updateTable('incident_steps')
    .set({ notified_at: null, next_try_at: app.clock.now() + HOUR })
    .where('incident_id', '=', evacuation._id)
    .execute();
  await app.app.incidents.sweep();
  const steps = await db
    .selectFrom('incident_steps')
    .select('notified_at')
    .where('incident_id', '=', evacuation._id)
    .execute();
  expect(steps.every(({ notified_at }) => notified_at !== null)).toBe(true);
});
