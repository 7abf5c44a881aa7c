/** Rows of guardians that come and go with a child or an account (decision 049). */
import { isSameName } from '@haris/contract/release';
import type { Transaction } from 'kysely';
import { acrossFacilities } from '../../facility.ts';
import type { Database } from '../schema.ts';
import { inForce, isChildOf } from './conditions.ts';

/**
 * Whether there is a child, at whatever facility, whom the parent may not take home, and which can be this new one: any child whose first
 * guardian the parent is, and one of this name whose further guardian it is.
 */
async function isLimitedFor(trx: Transaction<Database>, childId: string, parentId: string): Promise<boolean> {
  const limited = trx
    .selectFrom('guardians')
    .innerJoin('children', 'children.id', 'guardians.child_id')
    .select(['children.name', isChildOf(parentId).as('is_first')])
    .where('guardians.parent_id', '=', parentId)
    .where('guardians.may_take', '=', 0)
    .where(inForce);
  const added = trx.selectFrom('children').select('name').where('id', '=', childId);
  return acrossFacilities(async () => {
    const rows = await limited.execute();
    if (rows.length === 0) return false;
    const { name } = await added.executeTakeFirstOrThrow();
    return rows.some((row) => Boolean(row.is_first) || isSameName(row.name, name));
  });
}

/**
 * Adds the row of a new child's first guardian, with all rights; without that to take it home if the desk has taken that away for another
 * child of the family, or for one of the same name: the account could add the same child anew. A child without a row is nobody's.
 * `at`: milliseconds since 1970.
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
      may_take: (await isLimitedFor(trx, childId, parentId)) ? 0 : 1,
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
