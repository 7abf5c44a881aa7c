/** Queries that only the demo uses, on a data folder of its own. */
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

/**
 * Marks every account as verified and deletes all mailed links, because nobody reads the mail of a demo. Passwords count
 * as chosen by their owners: everybody who tries the demo uses the same ones.
 */
export async function verifyAllAccounts(trx: Transaction<Database>): Promise<void> {
  await trx.updateTable('parents').set({ email_verified: 1 }).execute();
  await trx.updateTable('staff').set({ email_verified: 1, password_set_by: null }).execute();
  await trx.deleteFrom('one_time_tokens').execute();
}

/** Ids of all children, in the order of creation. */
export async function findChildIds(db: Kysely<Database>): Promise<string[]> {
  const rows = await db.selectFrom('children').select('id').orderBy('created_at').execute();
  return rows.map(({ id }) => id);
}

/** Whether any child has ever been checked in. */
export async function hasStays(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('stays').select('id').executeTakeFirst()) !== undefined;
}

/** Id of the simulated sensor. */
export async function findDemoSensorId(db: Kysely<Database>): Promise<string | undefined> {
  return (await db.selectFrom('sensors').select('id').where('demo', '=', 1).executeTakeFirst())?.id;
}
