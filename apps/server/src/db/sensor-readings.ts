/** Readings as they came, their means of minutes and hours, and what is left of them in time. */
import { HISTORY_POINTS_MAX, type HistoryPoint, type HistoryStep } from '@haris/contract/http/sensors';
import { QUANTITIES, type Quantity } from '@haris/contract/live/readings';
import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import { toMoment } from '../clock.ts';
import type { Database } from './schema.ts';
import { noteHeard } from './sensor-states.ts';
import { inTransaction } from './transaction.ts';

type Reader = Kysely<Database> | Transaction<Database>;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Rows written with one statement: SQLite takes at most 32,766 values. */
const ROWS_AT_ONCE = 500;
/** Raw readings are rolled up at most this long a span at a time, so that no transaction holds others up. */
const SPAN_AT_ONCE_MS = 6 * HOUR_MS;
/** A minute is summed up this long after its end: what came in it is written by then. */
const SETTLED_AFTER_MS = 15_000;

/** Readings that one server takes over from the others at one time; of more, the newest. */
const TAKEN_OVER_AT_ONCE = 5_000;

export interface ReadingRow {
  readonly sensor_id: string;
  readonly at: number;
  /** The device's own id of the message; absent without one. */
  readonly key?: string | null;
  readonly temperature: number | null;
  readonly humidity: number | null;
  readonly mq2: number | null;
}

/**
 * Writes readings; two of one sensor in the same millisecond become one row (ESPHome sends each value by itself), unless
 * the device tells them apart by a key: then the later gets the next free millisecond, and the same key is stored once, however
 * often and to whichever server it was delivered. Readings of sensors that are gone meanwhile are left out.
 */
export async function insertReadings(db: Kysely<Database>, rows: readonly ReadingRow[]): Promise<void> {
  await inTransaction(db, async ({ trx }) => {
    const sensorIds = [...new Set(rows.map((row) => row.sensor_id))];
    const there = await trx.selectFrom('sensors').select('id').where('id', 'in', sensorIds).execute();
    const present = new Set(there.map(({ id }) => id));
    const known = rows.filter((row) => present.has(row.sensor_id));
    await insertMerged(
      trx,
      known.filter(({ key }) => key == null),
    );
    await insertKeyed(
      trx,
      known.filter(({ key }) => key != null),
    );
    await noteHeard(trx, known);
  });
}

async function insertMerged(trx: Transaction<Database>, rows: readonly ReadingRow[]): Promise<void> {
  const merged = new Map<string, ReadingRow>();
  for (const row of rows) {
    const place = placeOf(row);
    const before = merged.get(place);
    merged.set(
      place,
      before
        ? {
            ...row,
            temperature: row.temperature ?? before.temperature,
            humidity: row.humidity ?? before.humidity,
            mq2: row.mq2 ?? before.mq2,
          }
        : row,
    );
  }
  const all = [...merged.values()];
  for (let from = 0; from < all.length; from += ROWS_AT_ONCE)
    await trx
      .insertInto('sensor_readings')
      .values(all.slice(from, from + ROWS_AT_ONCE))
      .onConflict((conflict) =>
        conflict.columns(['sensor_id', 'at']).doUpdateSet((eb) => ({
          temperature: eb.fn.coalesce('excluded.temperature', 'sensor_readings.temperature'),
          humidity: eb.fn.coalesce('excluded.humidity', 'sensor_readings.humidity'),
          mq2: eb.fn.coalesce('excluded.mq2', 'sensor_readings.mq2'),
        })),
      )
      .execute();
}

async function insertKeyed(trx: Transaction<Database>, rows: readonly ReadingRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE);
    const stored = await trx
      .selectFrom('sensor_readings')
      .select(['sensor_id', 'key'])
      .where('sensor_id', 'in', [...new Set(some.map(({ sensor_id }) => sensor_id))])
      .where('key', 'in', [...new Set(some.flatMap(({ key }) => key ?? []))])
      .execute();
    const seen = new Set(stored.map(nameOf));
    let waiting = some.filter((row) => !seen.has(nameOf(row)) && seen.add(nameOf(row)));
    while (waiting.length > 0) {
      const taken = new Set<string>();
      const now = waiting.filter((row) => !taken.has(placeOf(row)) && taken.add(placeOf(row)));
      const written = await trx
        .insertInto('sensor_readings')
        .values(now)
        .onConflict((conflict) => conflict.columns(['sensor_id', 'at']).doNothing())
        .returning(['sensor_id', 'key'])
        .execute();
      const done = new Set(written.map(nameOf));
      // Another message has the millisecond.
      waiting = waiting.filter((row) => !done.has(nameOf(row))).map((row) => ({ ...row, at: row.at + 1 }));
    }
  }
}

function placeOf({ sensor_id, at }: ReadingRow): string {
  return `${sensor_id} ${at}`;
}

function nameOf({ sensor_id, key }: { sensor_id: string; key?: string | null }): string {
  return `${sensor_id} ${key}`;
}

/** Stored readings of these sensors, each from after its own moment on, oldest first. */
export async function findReadingsAfter(
  db: Reader,
  after: ReadonlyMap<string, number>,
): Promise<ReadingRow[]> {
  if (after.size === 0) return [];
  const rows = await db
    .selectFrom('sensor_readings')
    .selectAll()
    .where('sensor_id', 'in', [...after.keys()])
    .where('at', '>', Math.min(...after.values()))
    .orderBy('at', 'desc')
    .limit(TAKEN_OVER_AT_ONCE)
    .execute();
  return rows.filter(({ sensor_id, at }) => at > (after.get(sensor_id) ?? at)).reverse();
}

/** The newest readings of a sensor, oldest first. */
export async function findNewestReadings(db: Reader, sensorId: string, limit: number): Promise<ReadingRow[]> {
  const rows = await db
    .selectFrom('sensor_readings')
    .selectAll()
    .where('sensor_id', '=', sensorId)
    .orderBy('at', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse();
}

/** The newest value of a quantity, and since when it has not changed; undefined where there is none. */
export async function findNewestValue(
  db: Reader,
  sensorId: string,
  quantity: Quantity,
): Promise<{ value: number; at: number; since: number } | undefined> {
  const newest = await db
    .selectFrom('sensor_readings')
    .select([quantity, 'at'])
    .where('sensor_id', '=', sensorId)
    .where(quantity, 'is not', null)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const value = newest?.[quantity];
  if (newest === undefined || value === undefined || value === null) return undefined;
  const before = await db
    .selectFrom('sensor_readings')
    .select('at')
    .where('sensor_id', '=', sensorId)
    .where(quantity, 'is not', null)
    .where(quantity, '!=', value)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const first = await db
    .selectFrom('sensor_readings')
    .select('at')
    .where('sensor_id', '=', sensorId)
    .where(quantity, '=', value)
    .where('at', '>', before?.at ?? 0)
    .orderBy('at')
    .limit(1)
    .executeTakeFirst();
  return { value, at: newest.at, since: first?.at ?? newest.at };
}

const ROLLED_UP_TO = 'readings_rolled_up_to';

/**
 * Sums up whole minutes, and the hours they lie in, from where the last run ended: each is made anew from all that it
 * holds, so that a run that was cut short, or one more, changes nothing. Answers how far it has come.
 */
export async function rollUpReadings(db: Kysely<Database>, now: number): Promise<number> {
  const until = Math.floor((now - SETTLED_AFTER_MS) / MINUTE_MS) * MINUTE_MS;
  for (;;) {
    const end = await inTransaction(db, ({ trx }) => rollUpSpan(trx, until));
    if (end >= until) return end;
  }
}

async function rollUpSpan(trx: Transaction<Database>, until: number): Promise<number> {
  // Written first: several servers take their turns here.
  const { value } = await trx
    .insertInto('meta')
    .values({ key: ROLLED_UP_TO, value: '' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet((eb) => ({ value: eb.ref('meta.value') })))
    .returning('value')
    .executeTakeFirstOrThrow();
  let from = Number(value || Number.NaN);
  if (!Number.isFinite(from)) from = 0;
  // Where nothing was received, nothing is walked through.
  const { first } = await trx
    .selectFrom('sensor_readings')
    .select((eb) => eb.fn.min('at').as('first'))
    .where('at', '>=', from)
    .executeTakeFirstOrThrow();
  from = Math.max(from, first === null ? until : Math.floor(Number(first) / MINUTE_MS) * MINUTE_MS);
  const end = Math.max(from, Math.min(until, from + SPAN_AT_ONCE_MS));
  if (end > from) {
    await sumUpMinutes(trx, from, end);
    await sumUpHours(trx, Math.floor(from / HOUR_MS) * HOUR_MS, Math.ceil(end / HOUR_MS) * HOUR_MS);
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

async function sumUpMinutes(trx: Transaction<Database>, from: number, to: number): Promise<void> {
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

async function sumUpHours(trx: Transaction<Database>, from: number, to: number): Promise<void> {
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

/** Removes readings and means that are older than these moments; readings only once they are summed up. */
export async function deleteReadingsBefore(
  db: Kysely<Database>,
  before: { raw: number; means: number },
  rolledUpTo: number,
): Promise<void> {
  await db.deleteFrom('sensor_readings').where('at', '<', Math.min(before.raw, rolledUpTo)).execute();
  await db.deleteFrom('sensor_means').where('at', '<', before.means).execute();
}

/** Points of `from` ≤ at < `to`, oldest first; of too many the newest. */
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
