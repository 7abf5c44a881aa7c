/** Finds, adds, changes and deletes the rows of sensors; `sensor-readings.ts` stores readings. */
import { randomUUID } from 'node:crypto';
import { foldForSearch } from '@haris/contract/search/folding';
import type { Kysely, Transaction } from 'kysely';
import { noteErasure } from './erasures.ts';
import { byName, findPage, type Page, type PageRequest, whereContains } from './paging.ts';
import type { Database, SensorRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** All sensors by name. */
export async function findSensors(db: Reader): Promise<SensorRow[]> {
  return db.selectFrom('sensors').selectAll().orderBy('sort_name').orderBy('id').execute();
}

export async function findSensor(db: Reader, id: string): Promise<SensorRow | undefined> {
  return db.selectFrom('sensors').selectAll().where('id', '=', id).executeTakeFirst();
}

/** A page of sensors by name; `search` is part of the name or the area. */
export async function findSensorsPage(db: Reader, request: PageRequest): Promise<Page<SensorRow>> {
  const matching = whereContains(db.selectFrom('sensors'), ['sensors.search_text'], request.search);
  return findPage(matching, (found) => found.selectAll(), byName('sensors'), request);
}

/** The columns that sort and search sensors. */
export function sensorSearchColumns(name: string, area: string): { sort_name: string; search_text: string } {
  return { sort_name: foldForSearch(name), search_text: [name, area].map(foldForSearch).join('\n') };
}

export async function countSensors(db: Reader): Promise<number> {
  const { count } = await db
    .selectFrom('sensors')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertSensor(trx: Transaction<Database>, row: SensorRow): Promise<void> {
  await trx.insertInto('sensors').values(row).execute();
}

/** Locks the row until the transaction ends, on both databases. */
export async function lockSensor(trx: Transaction<Database>, id: string): Promise<SensorRow | undefined> {
  return trx
    .updateTable('sensors')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

export async function updateSensorRow(
  trx: Transaction<Database>,
  id: string,
  change: Partial<Omit<SensorRow, 'id'>>,
): Promise<void> {
  await trx.updateTable('sensors').set(change).where('id', '=', id).execute();
}

/** Adds refused readings to a sensor's count and stores the last reason. `at`: milliseconds since 1970. */
export async function addRefusals(
  trx: Transaction<Database>,
  id: string,
  { count, reason, at }: { readonly count: number; readonly reason: string; readonly at: number },
): Promise<void> {
  await trx
    .updateTable('sensors')
    .set((eb) => ({
      refused_count: eb('refused_count', '+', count),
      refused_at: at,
      refused_reason: reason,
    }))
    .where('id', '=', id)
    .execute();
}

/** Keyed hashes of a sensor's password and device key. */
export type SensorSecretsRow = Pick<SensorRow, 'password_mac' | 'device_key_mac'>;

/** Replaces the secrets of a sensor, and records that the former ones ended. `at`: milliseconds since 1970. */
export async function replaceSensorSecrets(
  trx: Transaction<Database>,
  former: Pick<SensorRow, 'id' | 'device_key_mac'>,
  secrets: SensorSecretsRow,
  at: number,
): Promise<void> {
  await updateSensorRow(trx, former.id, secrets);
  await noteErasure(trx, { kind: 'sensor_key', id: former.device_key_mac, at });
}

/** Ends the secrets of the sensor with this device key. Returns its id, or undefined if there is no such sensor. */
export async function revokeSensorSecrets(
  trx: Transaction<Database>,
  deviceKeyMac: string,
  at: number,
): Promise<string | undefined> {
  const row = await trx
    .selectFrom('sensors')
    .select(['id', 'device_key_mac'])
    .where('device_key_mac', '=', deviceKeyMac)
    .executeTakeFirst();
  if (!row) return undefined;
  // No key has this hash.
  const none = `revoked ${randomUUID()}`;
  await replaceSensorSecrets(trx, row, { password_mac: none, device_key_mac: none }, at);
  return row.id;
}

/**
 * Deletes a sensor with its readings, and records it. Returns its username on the broker, or undefined if there is no such
 * sensor. `at`: milliseconds since 1970.
 */
export async function deleteSensorRow(
  trx: Transaction<Database>,
  id: string,
  at: number,
): Promise<{ username: string } | undefined> {
  const deleted = await trx
    .deleteFrom('sensors')
    .where('id', '=', id)
    .returning('username')
    .executeTakeFirst();
  if (deleted) await noteErasure(trx, { kind: 'sensor', id, at });
  return deleted;
}
