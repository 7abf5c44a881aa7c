/** Single values of an installation by name, in table `meta`. Callers define the names. */
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** The value of a name, or null. */
export async function readMeta(db: Reader, key: string): Promise<string | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}

/** Several values in one read; names without a value are missing. */
export async function readMetas(db: Reader, keys: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('meta').selectAll().where('key', 'in', keys).execute();
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** Sets a value, replacing any previous one. */
export async function writeMeta(db: Reader, key: string, value: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** Sets a value that does not exist yet; of several servers, the first one wins. */
export async function writeMetaOnce(db: Reader, key: string, value: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
}

/** Sets a value that sorts after the current one. Returns false, and changes nothing, if it does not. */
export async function raiseMeta(db: Reader, key: string, value: string): Promise<boolean> {
  const raised = await db
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }).where('meta.value', '<', value))
    .returning('key')
    .executeTakeFirst();
  return raised !== undefined;
}

export async function deleteMeta(db: Reader, key: string): Promise<void> {
  await db.deleteFrom('meta').where('key', '=', key).execute();
}
