/** Means of minutes and hours: complete, computed once, and the same after any interruption. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PORTION_ROWS } from '../../db/portions.ts';
import { deleteReadingsBefore, rollUpReadings } from '../../db/sensor-history.ts';
import { insertReadings } from '../../db/sensor-readings.ts';
import { startTestApp, type TestApp } from '../../testing/harness.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The harness's clock stands at 08:00:00. */
let app: TestApp;
let staff: string;
let id: string;

beforeEach(async () => {
  app = await startTestApp();
  staff = await app.staff();
  const made = await app.expect(201, 'POST', '/api/sensors', {
    token: staff,
    json: { name: 'Window', area: 'Main room', kind: 'haris' },
  });
  id = made.sensor._id;
});
afterEach(() => app.close());

const row = (at: number, temperature: number | null, mq2: number | null = null) => ({
  sensor_id: id,
  at,
  temperature,
  humidity: null,
  mq2,
});

async function history(step: string, from: number, to: number) {
  const query = new URLSearchParams({
    step,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  });
  const { points } = await app.expect(200, 'GET', `/api/sensors/${id}/history?${query}`, { token: staff });
  return points;
}

const allMeans = () =>
  app.context.db.selectFrom('sensor_means').selectAll().orderBy('step').orderBy('at').execute();

describe('roll-up', () => {
  test('makes means, least and most of minutes and hours, of what was received', async () => {
    const start = app.clock.now();
    await insertReadings(app.context.db, [
      row(start, 20, 100),
      row(start + 20_000, 22),
      row(start + 59_999, 24, 300),
      row(start + MINUTE, 10),
      row(start + 90 * MINUTE, 30),
    ]);
    app.clock.advance(2 * HOUR);
    await rollUpReadings(app.context.db, app.clock.now());
    const minutes = await history('minute', start, start + 2 * HOUR);
    expect(minutes).toMatchObject([
      {
        at: new Date(start).toISOString(),
        temperature: 22,
        minTemperature: 20,
        maxTemperature: 24,
        mq2: 200,
        humidity: null,
      },
      { at: new Date(start + MINUTE).toISOString(), temperature: 10, mq2: null },
      { at: new Date(start + 90 * MINUTE).toISOString(), temperature: 30 },
    ]);
    // Each reading counts once: (20 + 22 + 24 + 10) / 4, not the mean of two means.
    expect(await history('hour', start, start + 2 * HOUR)).toMatchObject([
      { temperature: 19, minTemperature: 10, maxTemperature: 24, mq2: 200, minMq2: 100, maxMq2: 300 },
      { temperature: 30 },
    ]);
  });

  test('leaves a minute alone until it is over, and completes an hour that it has begun', async () => {
    const start = app.clock.now();
    await insertReadings(app.context.db, [row(start, 20), row(start + 10_000, 22)]);
    await rollUpReadings(app.context.db, start + MINUTE);
    expect(await allMeans()).toEqual([]);
    await rollUpReadings(app.context.db, start + 2 * MINUTE);
    expect(await history('hour', start, start + HOUR)).toMatchObject([{ temperature: 21 }]);
    await insertReadings(app.context.db, [row(start + 30 * MINUTE, 30)]);
    await rollUpReadings(app.context.db, start + HOUR);
    expect(await history('hour', start, start + HOUR)).toMatchObject([
      { temperature: 24, maxTemperature: 30 },
    ]);
  });

  test('twice, and after a run that was cut short anywhere, gives the same', async () => {
    const start = app.clock.now();
    const rows = Array.from({ length: 600 }, (_, index) =>
      row(start + index * 90_000, 15 + (index % 13), index),
    );
    await insertReadings(app.context.db, rows);
    const end = start + 16 * HOUR;
    await rollUpReadings(app.context.db, end);
    const once = await allMeans();
    expect(once.length).toBeGreaterThan(600);
    await rollUpReadings(app.context.db, end);
    expect(await allMeans()).toEqual(once);
    // Simulates earlier runs that were not recorded, or that ended in the middle of an hour.
    for (const upTo of ['0', '', String(start + 7 * HOUR + 13 * MINUTE)]) {
      await app.context.db
        .updateTable('meta')
        .set({ value: upTo })
        .where('key', '=', 'readings_rolled_up_to')
        .execute();
      await rollUpReadings(app.context.db, end);
      expect(await allMeans(), upTo).toEqual(once);
    }
  });

  test('two servers at once change nothing either', async () => {
    const start = app.clock.now();
    await insertReadings(
      app.context.db,
      Array.from({ length: 50 }, (_, index) => row(start + index * MINUTE, index)),
    );
    await Promise.all([1, 2, 3].map(() => rollUpReadings(app.context.db, start + HOUR)));
    expect(await history('hour', start, start + HOUR)).toMatchObject([{ temperature: 24.5 }]);
    expect(await history('minute', start, start + HOUR)).toHaveLength(50);
  });
});

test('what is older than the settings say goes, single readings only once they are summed up', async () => {
  const start = app.clock.now();
  const { db } = app.context;
  await insertReadings(db, [row(start - 8 * DAY, 20), row(start - 6 * DAY, 21), row(start, 22)]);
  const before = { raw: start - 7 * DAY, means: start - 730 * DAY };
  await deleteReadingsBefore(db, before, 0);
  expect(await db.selectFrom('sensor_readings').select('at').execute()).toHaveLength(3);
  await deleteReadingsBefore(db, before, await rollUpReadings(db, start));
  expect(
    (await db.selectFrom('sensor_readings').select('temperature').orderBy('at').execute()).map(
      (one) => one.temperature,
    ),
  ).toEqual([21, 22]);
  expect(await history('hour', start - 9 * DAY, start)).toMatchObject([
    { temperature: 20 },
    { temperature: 21 },
  ]);
  await deleteReadingsBefore(db, { raw: start, means: start - 7 * DAY }, start);
  expect(await history('hour', start - 9 * DAY, start)).toMatchObject([{ temperature: 21 }]);
});

test('a long backlog goes in portions, and others are answered meanwhile', async () => {
  const start = app.clock.now();
  const { db } = app.context;
  const count = 2 * PORTION_ROWS + 1;
  for (let from = 0; from < count; from += 500)
    await insertReadings(
      db,
      Array.from({ length: Math.min(500, count - from) }, (_, n) => row(start + (from + n) * 1_000, 20)),
    );
  await insertReadings(db, [row(start + DAY, 21)]);
  const readings = async () => (await db.selectFrom('sensor_readings').select('at').execute()).length;
  const deleting = deleteReadingsBefore(db, { raw: start + DAY, means: start }, start + DAY);
  let left = count + 1;
  while (left === count + 1) left = await readings();
  expect(left).toBeGreaterThan(1);
  await deleting;
  expect(await readings()).toBe(1);
});

describe('questions', () => {
  test('that turn round, reach too far or name no step are 400', async () => {
    const now = app.clock.now();
    for (const [step, from, to] of [
      ['minute', now, now],
      ['minute', now, now - 1],
      ['raw', now - DAY - 1, now],
      ['minute', now - 8 * DAY - 1, now],
      ['hour', now - 400 * DAY - 1, now],
      ['second', now - 1, now],
    ] as const) {
      const query = new URLSearchParams({
        step,
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
      });
      const answer = await app.ask('GET', `/api/sensors/${id}/history?${query}`, { token: staff });
      expect(answer, step).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
    await app.expect(400, 'GET', `/api/sensors/${id}/history?from=yesterday`, { token: staff });
  });

  test('the first moment is in, the last is not', async () => {
    const start = app.clock.now();
    await insertReadings(app.context.db, [row(start, 20), row(start + 1_000, 21), row(start + 2_000, 22)]);
    const points = await history('raw', start, start + 2_000);
    expect(points.map(({ temperature }) => temperature)).toEqual([20, 21]);
  });
});

test('two values of one millisecond are one reading', async () => {
  const at = app.clock.now();
  await insertReadings(app.context.db, [row(at, 20), row(at, null, 120)]);
  await insertReadings(app.context.db, [{ ...row(at, null), humidity: 40 }]);
  expect(await history('raw', at, at + 1)).toMatchObject([{ temperature: 20, humidity: 40, mq2: 120 }]);
});

test('readings of a sensor that is gone are left out, and the others are written', async () => {
  const at = app.clock.now();
  await insertReadings(app.context.db, [row(at, 20), { ...row(at, 30), sensor_id: 'gone' }]);
  expect(await app.context.db.selectFrom('sensor_readings').select('sensor_id').execute()).toEqual([
    { sensor_id: id },
  ]);
});
