/** Sensors and accounts on the broker: their rows. Knows no reading. */
import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { BrokerAccount } from '../mqtt/embedded.ts';
import { containsPattern, foldForSearch } from './folding.ts';
import { fromCursor, type PageRequest, toCursor } from './paging.ts';
import type { Database, HomeAssistantAccountRow, SensorRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** All sensors by name. */
export async function findSensors(db: Reader): Promise<SensorRow[]> {
  return db.selectFrom('sensors').selectAll().orderBy('sort_name').orderBy('id').execute();
}

export async function findSensor(db: Reader, id: string): Promise<SensorRow | undefined> {
  return db.selectFrom('sensors').selectAll().where('id', '=', id).executeTakeFirst();
}

/** A page of sensors by name; `search` is part of the name or the area. */
export async function findSensorsPage(
  db: Reader,
  request: PageRequest,
): Promise<{ rows: SensorRow[]; total: number; nextCursor: string | null }> {
  let matching = db.selectFrom('sensors');
  const folded = foldForSearch(request.search ?? '');
  if (folded)
    matching = matching.where(sql<boolean>`sensors.search_text like ${containsPattern(folded)} escape '\\'`);
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  let page = matching.selectAll();
  if (request.cursor !== undefined) {
    const [name, id] = fromCursor(request.cursor);
    page = page.where((eb) =>
      eb.or([eb('sort_name', '>', name), eb.and([eb('sort_name', '=', name), eb('id', '>', id)])]),
    );
  }
  const rows = await page
    .orderBy('sort_name')
    .orderBy('id')
    .limit(request.limit + 1)
    .execute();
  const shown = rows.slice(0, request.limit);
  const last = rows.length > request.limit ? shown.at(-1) : undefined;
  return { rows: shown, total: Number(total), nextCursor: last ? toCursor([last.sort_name, last.id]) : null };
}

/** The columns by which sensors are ordered and searched. */
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

export async function findHomeAssistantAccounts(db: Reader): Promise<HomeAssistantAccountRow[]> {
  return db.selectFrom('home_assistant_accounts').selectAll().orderBy('created_at').orderBy('id').execute();
}

/** Gives the accounts that one member of staff made to another; answers them. */
export async function handOverHomeAssistantAccounts(
  trx: Transaction<Database>,
  from: string,
  to: string,
): Promise<HomeAssistantAccountRow[]> {
  return trx
    .updateTable('home_assistant_accounts')
    .set({ made_by: to })
    .where('made_by', '=', from)
    .returningAll()
    .execute();
}

/** Removes the accounts that a member of staff made; answers them, so that their connections can be cut. */
export async function endHomeAssistantAccountsOf(
  trx: Transaction<Database>,
  madeBy: string,
): Promise<HomeAssistantAccountRow[]> {
  return trx.deleteFrom('home_assistant_accounts').where('made_by', '=', madeBy).returningAll().execute();
}

/** The account of a username on the embedded broker. */
export async function findBrokerAccount(db: Reader, username: string): Promise<BrokerAccount | undefined> {
  const sensor = await db
    .selectFrom('sensors')
    .select(['password_mac', 'kind', 'topic'])
    .where('username', '=', username)
    .executeTakeFirst();
  if (sensor)
    return {
      passwordMac: sensor.password_mac,
      role: { kind: 'device', deviceKind: sensor.kind, topic: sensor.topic },
    };
  const reader = await db
    .selectFrom('home_assistant_accounts')
    .select('password_mac')
    .where('username', '=', username)
    .executeTakeFirst();
  return reader && { passwordMac: reader.password_mac, role: { kind: 'home_assistant' } };
}
