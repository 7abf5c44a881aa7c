/** History of sensor readings: rolls them up into means per minute and hour, reads them, and deletes old ones. */
import { HISTORY_POINTS_MAX, type HistoryPoint, type HistoryStep } from '@haris/contract/http/sensors';
import { QUANTITIES } from '@haris/contract/live/readings';
import { type Kysely, sql, type Transaction } from 'kysely';
import { toMoment } from '../clock.ts';
import { inPortions, PORTION_ROWS } from './portions.ts';
import type { Database } from './schema.ts';
import { inTransaction } from './transaction.ts';

type Reader = Kysely<Database> | Transaction<Database>;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Maximum span that one transaction rolls up, so that it does not block other writers for long. Milliseconds. */
const SPAN_PER_TRANSACTION_MS = 6 * HOUR_MS;
/** A minute is rolled up this long after its end, when all its readings are stored. Milliseconds. */
const SETTLED_AFTER_MS = 15_000;

/** Key in `meta`: the moment up to which readings are rolled up. */
const ROLLED_UP_TO = 'readings_rolled_up_to';

/**
 * Rolls up all whole minutes since the last run, and the hours that contain them. Recomputes each mean from all its
 * readings, so an interrupted or repeated run changes nothing. Returns the moment up to which readings are rolled up.
 */
export async function rollUpReadings(db: Kysely<Database>, now: number): Promise<number> {
  const until = Math.floor((now - SETTLED_AFTER_MS) / MINUTE_MS) * MINUTE_MS;
  for (;;) {
    const end = await inTransaction(db, ({ trx }) => rollUpSpan(trx, until));
    if (end >= until) return end;
  }
}

async function rollUpSpan(trx: Transaction<Database>, until: number): Promise<number> {
  // Writes first to lock the row, so that servers roll up one after the other.
  const { value } = await trx
    .insertInto('meta')
    .values({ key: ROLLED_UP_TO, value: '' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet((eb) => ({ value: eb.ref('meta.value') })))
    .returning('value')
    .executeTakeFirstOrThrow();
  let from = Number(value || Number.NaN);
  if (!Number.isFinite(from)) from = 0;
  // Skips spans without readings.
  const { first } = await trx
    .selectFrom('sensor_readings')
    .select((eb) => eb.fn.min('at').as('first'))
    .where('at', '>=', from)
    .executeTakeFirstOrThrow();
  from = Math.max(from, first === null ? until : Math.floor(Number(first) / MINUTE_MS) * MINUTE_MS);
  const end = Math.max(from, Math.min(until, from + SPAN_PER_TRANSACTION_MS));
  if (end > from) {
    await rollUpMinutes(trx, from, end);
    await rollUpHours(trx, Math.floor(from / HOUR_MS) * HOUR_MS, Math.ceil(end / HOUR_MS) * HOUR_MS);
  }
  await trx
    .updateTable('meta')
    .set({ value: String(end) })
    .where('key', '=', ROLLED_UP_TO)
    .execute();
  return end;
}

/** `temperature_count, temperature_mean, …` of all quantities, in the order of the table. */
const MEAN_COLUMNS = QUANTITIES.flatMap((quantity) =>
  (['count', 'mean', 'min', 'max'] as const).map((what) => `${quantity}_${what}` as const),
);
const columns = sql.join(MEAN_COLUMNS.map((column) => sql.ref(column)));
const overwrite = sql.join(
  MEAN_COLUMNS.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`),
);

async function rollUpMinutes(trx: Transaction<Database>, from: number, to: number): Promise<void> {
  const sums = sql.join(
    QUANTITIES.map((quantity) => {
      const value = sql.ref(quantity);
      return sql`count(${value}), avg(${value}), min(${value}), max(${value})`;
    }),
  );
  await sql`insert into sensor_means (sensor_id, step, at, ${columns})
    select sensor_id, 'minute', (at / ${sql.lit(MINUTE_MS)}) * ${sql.lit(MINUTE_MS)}, ${sums}
    from sensor_readings where at >= ${from} and at < ${to}
    group by sensor_id, (at / ${sql.lit(MINUTE_MS)})
    on conflict (sensor_id, step, at) do update set ${overwrite}`.execute(trx);
}

async function rollUpHours(trx: Transaction<Database>, from: number, to: number): Promise<void> {
  const sums = sql.join(
    QUANTITIES.map((quantity) => {
      const count = sql.ref(`${quantity}_count`);
      const mean = sql.ref(`${quantity}_mean`);
      return sql`sum(${count}), sum(${mean} * ${count}) / nullif(sum(${count}), 0),
        min(${sql.ref(`${quantity}_min`)}), max(${sql.ref(`${quantity}_max`)})`;
    }),
  );
  await sql`insert into sensor_means (sensor_id, step, at, ${columns})
    select sensor_id, 'hour', (at / ${sql.lit(HOUR_MS)}) * ${sql.lit(HOUR_MS)}, ${sums}
    from sensor_means where step = 'minute' and at >= ${from} and at < ${to}
    group by sensor_id, (at / ${sql.lit(HOUR_MS)})
    on conflict (sensor_id, step, at) do update set ${overwrite}`.execute(trx);
}

/** Deletes readings and means from before these moments; deletes a reading only after it is rolled up. */
export async function deleteReadingsBefore(
  db: Kysely<Database>,
  before: { raw: number; means: number },
  rolledUpTo: number,
): Promise<void> {
  for (const { id } of await db.selectFrom('sensors').select('id').execute()) {
    await inPortions(async () => {
      const old = db
        .selectFrom('sensor_readings')
        .select('at')
        .where('sensor_id', '=', id)
        .where('at', '<', Math.min(before.raw, rolledUpTo))
        .orderBy('at')
        .limit(PORTION_ROWS);
      const { numDeletedRows } = await db
        .deleteFrom('sensor_readings')
        .where('sensor_id', '=', id)
        .where('at', 'in', old)
        .executeTakeFirst();
      return numDeletedRows;
    });
    for (const step of ['minute', 'hour'] as const)
      await inPortions(async () => {
        const old = db
          .selectFrom('sensor_means')
          .select('at')
          .where('sensor_id', '=', id)
          .where('step', '=', step)
          .where('at', '<', before.means)
          .orderBy('at')
          .limit(PORTION_ROWS);
        const { numDeletedRows } = await db
          .deleteFrom('sensor_means')
          .where('sensor_id', '=', id)
          .where('step', '=', step)
          .where('at', 'in', old)
          .executeTakeFirst();
        return numDeletedRows;
      });
  }
}

/** Points with `from` ≤ at < `to`, oldest first; at most `HISTORY_POINTS_MAX`, preferring the newest. */
export async function findHistory(
  db: Reader,
  sensorId: string,
  step: HistoryStep,
  from: number,
  to: number,
): Promise<HistoryPoint[]> {
  if (step === 'raw') {
    const rows = await db
      .selectFrom('sensor_readings')
      .selectAll()
      .where('sensor_id', '=', sensorId)
      .where('at', '>=', from)
      .where('at', '<', to)
      .orderBy('at', 'desc')
      .limit(HISTORY_POINTS_MAX)
      .execute();
    return rows.reverse().map((row) => ({
      at: toMoment(row.at),
      temperature: row.temperature,
      humidity: row.humidity,
      mq2: row.mq2,
      minTemperature: row.temperature,
      maxTemperature: row.temperature,
      minHumidity: row.humidity,
      maxHumidity: row.humidity,
      minMq2: row.mq2,
      maxMq2: row.mq2,
    }));
  }
  const rows = await db
    .selectFrom('sensor_means')
    .selectAll()
    .where('sensor_id', '=', sensorId)
    .where('step', '=', step)
    .where('at', '>=', from)
    .where('at', '<', to)
    .orderBy('at', 'desc')
    .limit(HISTORY_POINTS_MAX)
    .execute();
  return rows.reverse().map((row) => ({
    at: toMoment(row.at),
    temperature: row.temperature_mean,
    humidity: row.humidity_mean,
    mq2: row.mq2_mean,
    minTemperature: row.temperature_min,
    maxTemperature: row.temperature_max,
    minHumidity: row.humidity_min,
    maxHumidity: row.humidity_max,
    minMq2: row.mq2_min,
    maxMq2: row.mq2_max,
  }));
}
