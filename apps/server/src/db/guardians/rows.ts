/** Rows of guardians that come and go with a child or an account (decision 049). */
import type { Transaction } from 'kysely';
import { acrossFacilities } from '../../facility.ts';
import type { Database } from '../schema.ts';
import { inForce, isChildOf } from './conditions.ts';

/** Whether the parent is the first guardian of a child, at whatever facility, whom it may not take home. */
async function isLimitedFirst(trx: Transaction<Database>, parentId: string): Promise<boolean> {
  const limited = trx
    .selectFrom('guardians')
    .innerJoin('children', 'children.id', 'guardians.child_id')
    .select('guardians.child_id')
    .where('guardians.parent_id', '=', parentId)
    .where('guardians.may_take', '=', 0)
    .where(inForce)
    .where(isChildOf(parentId))
    .limit(1);
  return (await acrossFacilities(() => limited.executeTakeFirst())) !== undefined;
}

/**
 * Adds the row of a new child's first guardian, with all rights; without that to take it home if the desk has taken that away for another
 * child of the family: the account could add the same child anew. A child without a row is nobody's. `at`: milliseconds since 1970.
 */
export async function insertFirstGuardian(
  trx: Transaction<Database>,
  childId: string,
  parentId: string,
  at: number,
): Promise<void> {
  await trx
    .insertInto('guardians')
    .values({
      child_id: childId,
      parent_id: parentId,
      may_live: 1,
      may_edit: 1,
      may_collect: 1,
      may_take: (await isLimitedFirst(trx, parentId)) ? 0 : 1,
      added_by: null,
      added_at: at,
      accepted_at: at,
      ended_at: null,
      ended_by: null,
    })
    .execute();
}

/** Deletes the rows of a deleted child. */
export async function deleteGuardiansOf(trx: Transaction<Database>, childId: string): Promise<void> {
  await trx.deleteFrom('guardians').where('child_id', '=', childId).execute();
}

/** Deletes the rows of a deleted parent. */
export async function deleteGuardianships(trx: Transaction<Database>, parentId: string): Promise<void> {
  await trx.deleteFrom('guardians').where('parent_id', '=', parentId).execute();
}
