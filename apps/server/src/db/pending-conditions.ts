/** Conditions whose value is above the limit, but not yet for the delay. */
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

/** All pending conditions, with the moment since when their value has been above the limit. Milliseconds since 1970. */
export async function findPendingConditions(
  db: Kysely<Database>,
): Promise<{ readonly condition: string; readonly since: number }[]> {
  return db.selectFrom('pending_conditions').selectAll().execute();
}

/** Start of a pending condition in milliseconds since 1970; null if the condition is not pending. */
export async function findPendingSince(
  trx: Transaction<Database>,
  condition: string,
): Promise<number | null> {
  const row = await trx
    .selectFrom('pending_conditions')
    .select('since')
    .where('condition', '=', condition)
    .executeTakeFirst();
  return row?.since ?? null;
}

/** Stores the start of a pending condition; null: it is no longer pending. */
export async function setPendingSince(
  trx: Transaction<Database>,
  condition: string,
  since: number | null,
): Promise<void> {
  if (since === null) await trx.deleteFrom('pending_conditions').where('condition', '=', condition).execute();
  else
    await trx
      .insertInto('pending_conditions')
      .values({ condition, since })
      .onConflict((conflict) => conflict.columns(['facility_id', 'condition']).doUpdateSet({ since }))
      .execute();
}
