/** The children of a guardian, and the facilities at which they are known (decision 049). */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../schema.ts';
import { hasFamily, inForce, isChildOf, isGuardedBy } from './conditions.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/**
 * Whether the parent is the first guardian of a child, or a further one who has not ended, also one who was asked and has not
 * answered. What protects an account that sees children builds on it.
 */
export async function hasChildRows(db: Reader, parentId: string): Promise<boolean> {
  const isHeld = sql<boolean>`(${isChildOf(parentId)} or children.id in (
    select guardians.child_id from guardians where guardians.parent_id = ${parentId} and guardians.ended_at is null))`;
  const children = db.selectFrom('children').select('id').where(isHeld).limit(1);
  return (await children.executeTakeFirst()) !== undefined;
}

/** Whether the parent is a guardian of a child. */
export async function hasGuardedChild(db: Reader, parentId: string): Promise<boolean> {
  const children = db.selectFrom('children').select('id').where(isGuardedBy(parentId)).limit(1);
  return (await children.executeTakeFirst()) !== undefined;
}

/** Ids of the children whose family this parent is, unordered. */
export async function findChildIdsOf(db: Reader, parentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('children')
    .select('id')
    .where(isChildOf(parentId))
    .where(hasFamily)
    .execute();
  return rows.map((row) => row.id);
}

/** Locks the children whose first guardian is this parent until the transaction ends, and returns their ids. */
export async function lockChildrenOf(trx: Transaction<Database>, parentId: string): Promise<string[]> {
  const children = await trx
    .updateTable('children')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where(isChildOf(parentId))
    .returning('id')
    .execute();
  return children.map(({ id }) => id);
}

/**
 * Facilities at which a child is known whose guardian the parent is, or was asked to become: whoever opens the account there, or
 * gives it another address, may say yes. Unique and sorted. Call it across facilities.
 */
export async function findHeldPlaces(db: Reader, parentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('child_facilities')
    .innerJoin('guardians', 'guardians.child_id', 'child_facilities.child_id')
    .select('child_facilities.facility_id')
    .distinct()
    .where('guardians.parent_id', '=', parentId)
    .where('guardians.ended_at', 'is', null)
    .orderBy('child_facilities.facility_id')
    .execute();
  return rows.map((row) => row.facility_id);
}

/**
 * Ids of the children whose guardian the account is beside the first one, or was asked to become, sorted. Call it across
 * facilities.
 */
export async function findFurtherChildIds(db: Reader, parentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('guardians')
    .innerJoin('children', 'children.id', 'guardians.child_id')
    .select('guardians.child_id')
    .where('guardians.parent_id', '=', parentId)
    .where('guardians.ended_at', 'is', null)
    .where(sql<boolean>`not ${isChildOf(parentId)}`)
    .orderBy('guardians.child_id')
    .execute();
  return rows.map((row) => row.child_id);
}

/** Facilities at which a child is known whose guardian one of these parents is, each with that parent. */
export async function findGuardedPlaces(
  db: Reader,
  parentIds: readonly string[],
): Promise<{ readonly guardian: string; readonly facility: string }[]> {
  if (parentIds.length === 0) return [];
  return (
    db
      .selectFrom('child_facilities')
      // Through the children, so that those of another facility are not found.
      .innerJoin('children', 'children.id', 'child_facilities.child_id')
      .innerJoin('guardians', 'guardians.child_id', 'children.id')
      .select(['guardians.parent_id as guardian', 'child_facilities.facility_id as facility'])
      .distinct()
      .where('guardians.parent_id', 'in', parentIds)
      .where(inForce)
      .execute()
  );
}
