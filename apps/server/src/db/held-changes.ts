/** Changes by parents that go with the next mail about changes, because a limit held their own mail back (decision 026). */
import type { Kysely, Transaction } from 'kysely';
import type { FamilyChange } from './schema/people.ts';
import type { Database, HeldChangeRow } from './schema.ts';

/** Adds changes to those that are held back for an address; one that is held already stays one. */
export async function holdChanges(trx: Transaction<Database>, rows: readonly HeldChangeRow[]): Promise<void> {
  if (rows.length === 0) return;
  await trx
    .insertInto('held_changes')
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['parent_id', 'email', 'change']).doNothing())
    .execute();
}

/** The held changes of a parent, unordered. */
export async function findHeldChanges(
  trx: Transaction<Database>,
  parentId: string,
): Promise<readonly HeldChangeRow[]> {
  return trx.selectFrom('held_changes').selectAll().where('parent_id', '=', parentId).execute();
}

/** Removes these held changes of a parent and returns them. Of two servers that do so at once, one gets each. */
export async function takeHeldChanges(
  trx: Transaction<Database>,
  parentId: string,
  changes: readonly FamilyChange[],
): Promise<readonly HeldChangeRow[]> {
  return trx
    .deleteFrom('held_changes')
    .where('parent_id', '=', parentId)
    .where('change', 'in', changes)
    .returningAll()
    .execute();
}

/** Ids of all parents with held changes. */
export async function findParentsWithHeldChanges(db: Kysely<Database>): Promise<string[]> {
  const rows = await db.selectFrom('held_changes').select('parent_id').distinct().execute();
  return rows.map(({ parent_id: id }) => id);
}
