/** Finds, adds, changes and deletes the rows of sensors; `sensor-readings.ts` stores readings. */

import { foldForSearch } from '@haris/contract/search/folding';
import type { Kysely, Transaction } from 'kysely';
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

/** Deletes a sensor with its readings. Returns its username on the broker, or undefined if there is no such sensor. */
export async function deleteSensorRow(
  trx: Transaction<Database>,
  id: string,
): Promise<{ username: string } | undefined> {
  return trx.deleteFrom('sensors').where('id', '=', id).returning('username').executeTakeFirst();
}
