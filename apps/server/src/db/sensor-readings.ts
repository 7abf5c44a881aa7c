/** Raw sensor readings: stores them, and finds the newest ones. `sensor-history.ts` stores their means. */
import type { Quantity } from '@haris/contract/live/readings';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';
import { noteStoredReadings } from './sensor-states.ts';
import { inTransaction } from './transaction.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Rows per statement: SQLite accepts at most 32,766 values. */
const ROWS_PER_STATEMENT = 500;
/** Maximum number of other servers' readings that {@link findReadingsAfter} returns; beyond it, the newest ones. */
const FOLLOWED_MAX = 5_000;

export interface ReadingRow {
  readonly sensor_id: string;
  readonly at: number;
  /** Id that the device gave the message, if any. */
  readonly key?: string | null;
  readonly temperature: number | null;
  readonly humidity: number | null;
  readonly mq2: number | null;
}

/**
 * Stores readings. Two readings of one sensor in the same millisecond become one row, because ESPHome sends each quantity
 * in a separate message. A reading with a key keeps its own row: it moves to the next free millisecond, and a stored key
 * is skipped, so that a message delivered twice, or to two servers, counts once. Readings of deleted sensors are skipped.
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
    await noteStoredReadings(trx, known);
  });
}

async function insertMerged(trx: Transaction<Database>, rows: readonly ReadingRow[]): Promise<void> {
  const merged = new Map<string, ReadingRow>();
  for (const row of rows) {
    const slot = slotOf(row);
    const before = merged.get(slot);
    merged.set(
      slot,
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
  for (let from = 0; from < all.length; from += ROWS_PER_STATEMENT)
    await trx
      .insertInto('sensor_readings')
      .values(all.slice(from, from + ROWS_PER_STATEMENT))
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
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const some = rows.slice(from, from + ROWS_PER_STATEMENT);
    const stored = await trx
      .selectFrom('sensor_readings')
      .select(['sensor_id', 'key'])
      .where('sensor_id', 'in', [...new Set(some.map(({ sensor_id }) => sensor_id))])
      .where('key', 'in', [...new Set(some.flatMap(({ key }) => key ?? []))])
      .execute();
    const seen = new Set(stored.map(keyOf));
    let waiting = some.filter((row) => !seen.has(keyOf(row)) && seen.add(keyOf(row)));
    while (waiting.length > 0) {
      const taken = new Set<string>();
      const now = waiting.filter((row) => !taken.has(slotOf(row)) && taken.add(slotOf(row)));
      const written = await trx
        .insertInto('sensor_readings')
        .values(now)
        .onConflict((conflict) => conflict.columns(['sensor_id', 'at']).doNothing())
        .returning(['sensor_id', 'key'])
        .execute();
      const done = new Set(written.map(keyOf));
      // Another message took this millisecond.
      waiting = waiting.filter((row) => !done.has(keyOf(row))).map((row) => ({ ...row, at: row.at + 1 }));
    }
  }
}

function slotOf({ sensor_id, at }: ReadingRow): string {
  return `${sensor_id} ${at}`;
}

function keyOf({ sensor_id, key }: { sensor_id: string; key?: string | null }): string {
  return `${sensor_id} ${key}`;
}

/** Stored readings of these sensors, oldest first. `after`: sensor id → only readings later than this moment. */
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
    .limit(FOLLOWED_MAX)
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

/** The newest value of a quantity, and since when it has been the same; undefined if none is stored. */
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

/** Whether a sensor has a stored reading after `after` and up to `until`. Milliseconds since 1970. */
export async function hasReadingBetween(
  db: Reader,
  sensorId: string,
  after: number,
  until: number,
): Promise<boolean> {
  const found = await db
    .selectFrom('sensor_readings')
    .select('at')
    .where('sensor_id', '=', sensorId)
    .where('at', '>', after)
    .where('at', '<=', until)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
