/** Accounts on the embedded broker: one per sensor, and those that staff create for Home Assistant. */
import type { SensorKind } from '@haris/contract/http/sensors';
import type { Kysely, Transaction } from 'kysely';
import { noteErasure } from './erasures.ts';
import type { Database, HomeAssistantAccountRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

export async function findHomeAssistantAccounts(db: Reader): Promise<HomeAssistantAccountRow[]> {
  return db.selectFrom('home_assistant_accounts').selectAll().orderBy('created_at').orderBy('id').execute();
}

/** Transfers one staff member's accounts to another staff member. Returns the accounts. */
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

/**
 * Deletes and returns the accounts that a staff member created, and records it; the caller closes their connections. `at`:
 * milliseconds since 1970.
 */
export async function endHomeAssistantAccountsOf(
  trx: Transaction<Database>,
  madeBy: string,
  at: number,
): Promise<HomeAssistantAccountRow[]> {
  const ended = await trx
    .deleteFrom('home_assistant_accounts')
    .where('made_by', '=', madeBy)
    .returningAll()
    .execute();
  for (const { id } of ended) await noteErasure(trx, { kind: 'home_assistant', id, at });
  return ended;
}

export async function insertHomeAssistantAccount(
  trx: Transaction<Database>,
  row: HomeAssistantAccountRow,
): Promise<void> {
  await trx.insertInto('home_assistant_accounts').values(row).execute();
}

/** Records it, and returns the username of the deleted account, or undefined if there is no such account. */
export async function deleteHomeAssistantAccountRow(
  trx: Transaction<Database>,
  id: string,
  at: number,
): Promise<{ username: string } | undefined> {
  const deleted = await trx
    .deleteFrom('home_assistant_accounts')
    .where('id', '=', id)
    .returning('username')
    .executeTakeFirst();
  if (deleted) await noteErasure(trx, { kind: 'home_assistant', id, at });
  return deleted;
}

/** The owner of a username on the broker. */
export interface BrokerAccountRow {
  readonly passwordMac: string;
  readonly facility: string;
  /** Null for Home Assistant. */
  readonly sensor: { readonly kind: SensorKind; readonly topic: string } | null;
}

export async function findBrokerAccount(db: Reader, username: string): Promise<BrokerAccountRow | undefined> {
  const sensor = await db
    .selectFrom('sensors')
    .select(['password_mac', 'facility_id', 'kind', 'topic'])
    .where('username', '=', username)
    .executeTakeFirst();
  if (sensor) {
    const { password_mac: passwordMac, facility_id: facility, kind, topic } = sensor;
    return { passwordMac, facility, sensor: { kind, topic } };
  }
  const homeAssistant = await db
    .selectFrom('home_assistant_accounts')
    .select(['password_mac', 'facility_id'])
    .where('username', '=', username)
    .executeTakeFirst();
  if (!homeAssistant) return undefined;
  const { password_mac: passwordMac, facility_id: facility } = homeAssistant;
  return { passwordMac, facility, sensor: null };
}
