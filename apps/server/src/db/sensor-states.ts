/** Sensor states that all servers of a database share: time of the newest stored reading, and online or not. */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database, SensorStateRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Updates the time of each sensor's newest reading. Call it in the transaction that stores the readings. */
export async function noteStoredReadings(
  trx: Transaction<Database>,
  rows: readonly { readonly sensor_id: string; readonly at: number }[],
): Promise<void> {
  const newest = new Map<string, number>();
  for (const { sensor_id, at } of rows) newest.set(sensor_id, Math.max(at, newest.get(sensor_id) ?? 0));
  if (newest.size === 0) return;
  await trx
    .insertInto('sensor_states')
    .values(
      // A fixed order prevents deadlocks between two servers.
      [...newest]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([sensor_id, heard_at]) => ({
          sensor_id,
          heard_at,
          online: null,
          online_at: null,
          said_at: null,
        })),
    )
    .onConflict((conflict) =>
      conflict.column('sensor_id').doUpdateSet({
        heard_at: sql<number>`case when sensor_states.heard_at > excluded.heard_at
          then sensor_states.heard_at else excluded.heard_at end`,
      }),
    )
    .execute();
}

export interface Availability {
  readonly online: boolean;
  /** When the device came online; null if unknown. Milliseconds since 1970, like `saidAt`. */
  readonly onlineAt: number | null;
  readonly saidAt: number;
}

/** Stores what a device or its last will reported, unless the sensor is deleted or a newer report is stored. */
export async function storeAvailability(db: Reader, sensorId: string, said: Availability): Promise<void> {
  const row = {
    online: said.online ? (1 as const) : (0 as const),
    online_at: said.onlineAt,
    said_at: said.saidAt,
  };
  const isThere = await db.selectFrom('sensors').select('id').where('id', '=', sensorId).executeTakeFirst();
  if (!isThere) return;
  await db
    .insertInto('sensor_states')
    .values({ sensor_id: sensorId, heard_at: null, ...row })
    .onConflict((conflict) =>
      conflict
        .column('sensor_id')
        .doUpdateSet(row)
        .where((eb) =>
          eb.or([eb('sensor_states.said_at', 'is', null), eb('sensor_states.said_at', '<', said.saidAt)]),
        ),
    )
    .execute();
}

export async function findSensorStates(db: Reader): Promise<SensorStateRow[]> {
  return db.selectFrom('sensor_states').selectAll().execute();
}
