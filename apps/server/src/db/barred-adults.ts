/** Rows of barred adults. Only queries, no rules; the caller has found the child in its facility. */
import type { Kysely, Transaction } from 'kysely';
import type { BarredAdultRow, Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Adults to whom a child must not be handed now, in the order in which they were entered. */
export async function findBarred(db: Reader, childId: string): Promise<BarredAdultRow[]> {
  return db
    .selectFrom('barred_adults')
    .selectAll()
    .where('child_id', '=', childId)
    .where('lifted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Whether a bar of a child was entered since a moment (milliseconds since 1970), also one that was lifted again. */
export async function hasBarSince(db: Reader, childId: string, since: number): Promise<boolean> {
  const row = await db
    .selectFrom('barred_adults')
    .select('id')
    .where('child_id', '=', childId)
    .where('created_at', '>=', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** All bars of all children, also those that were lifted, in the order in which they were entered. */
export async function findAllBars(db: Reader): Promise<BarredAdultRow[]> {
  return db.selectFrom('barred_adults').selectAll().orderBy('created_at').orderBy('id').execute();
}

/** A bar, also one that was lifted. */
export async function findBar(db: Reader, id: string): Promise<BarredAdultRow | undefined> {
  return db
    .selectFrom('barred_adults')
    .innerJoin('children', 'children.id', 'barred_adults.child_id')
    .selectAll('barred_adults')
    .where('barred_adults.id', '=', id)
    .executeTakeFirst();
}

export async function insertBar(trx: Transaction<Database>, row: BarredAdultRow): Promise<void> {
  await trx.insertInto('barred_adults').values(row).execute();
}

/** Changes who is not the barred adult: JSON, as in the row. */
export async function updateOthers(trx: Transaction<Database>, id: string, others: string): Promise<void> {
  await trx.updateTable('barred_adults').set({ others }).where('id', '=', id).execute();
}

/** Lifts a bar, and deletes the photo: nobody needs it for a record. `at`: milliseconds since 1970. */
export async function endBar(
  trx: Transaction<Database>,
  id: string,
  { by, at }: { readonly by: string; readonly at: number },
): Promise<void> {
  await trx.updateTable('barred_adults').set({ lifted_by: by, lifted_at: at }).where('id', '=', id).execute();
  await trx.deleteFrom('photos').where('bar_id', '=', id).execute();
}

/** Deletes the bars of a child with their photos. */
export async function deleteBarsOf(trx: Transaction<Database>, childId: string): Promise<void> {
  const own = trx.selectFrom('barred_adults').select('id').where('child_id', '=', childId);
  await trx.deleteFrom('photos').where('bar_id', 'in', own).execute();
  await trx.deleteFrom('barred_adults').where('child_id', '=', childId).execute();
}
