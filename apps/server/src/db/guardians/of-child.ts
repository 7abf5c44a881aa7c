/** The guardians of given children (decision 049). */
import { type Expression, type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../schema.ts';
import { guardianOf, inForce, isChildOf, isGuardedBy } from './conditions.ts';
import { type GuardianRights, RIGHT_COLUMNS, rightsOf } from './rights.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** An account that answers for a child, with its rights. */
export interface Guardianship extends GuardianRights {
  readonly parentId: string;
  readonly name: string;
  /** When it accepted, in milliseconds since 1970: another than the first guardian is told of nothing before. */
  readonly since: number;
}

/** The guardians of some children, by child: accepted and not ended, the first guardian first. */
export async function findGuardians(
  db: Reader,
  children: readonly { readonly id: string; readonly parent_id: string; readonly parent_name?: string }[],
): Promise<Map<string, Guardianship[]>> {
  const byId = new Map(children.map((child) => [child.id, child]));
  if (byId.size === 0) return new Map();
  const rows = await db
    .selectFrom('guardians')
    .select(['child_id', 'parent_id', 'accepted_at'])
    .select(RIGHT_COLUMNS)
    .where('child_id', 'in', [...byId.keys()])
    .where(inForce)
    .orderBy('accepted_at')
    .orderBy('parent_id')
    .execute();
  const isFirst = (row: (typeof rows)[number]) => byId.get(row.child_id)?.parent_id === row.parent_id;
  const others = [...new Set(rows.filter((row) => !isFirst(row)).map(({ parent_id: id }) => id))];
  const named =
    others.length === 0
      ? []
      : await db.selectFrom('parents').select(['id', 'name']).where('id', 'in', others).execute();
  const names = new Map(named.map(({ id, name }) => [id, name]));
  const guardians = [...rows.filter(isFirst), ...rows.filter((row) => !isFirst(row))].map((row) => ({
    childId: row.child_id,
    guardian: {
      parentId: row.parent_id,
      name: (isFirst(row) ? byId.get(row.child_id)?.parent_name : names.get(row.parent_id)) ?? '',
      ...rightsOf(row),
      since: Number(row.accepted_at),
    },
  }));
  const byChild = Map.groupBy(guardians, ({ childId }) => childId);
  return new Map([...byChild].map(([id, found]) => [id, found.map(({ guardian }) => guardian)]));
}

/** Those of some accounts that are a guardian of a child, were one, or were asked. Call it across facilities. */
export async function findEverGuardians(
  db: Reader,
  childId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('guardians')
    .select('parent_id')
    .where('child_id', '=', childId)
    .where('parent_id', 'in', ids)
    .execute();
  return rows.map((row) => row.parent_id);
}

/** Of some accounts, those that are or were a guardian of one of some children, each with the child. Pass at least one of each. */
export async function findEverAmong(
  db: Reader,
  childIds: readonly string[],
  parentIds: readonly string[],
): Promise<{ parent_id: string; child_id: string }[]> {
  return db
    .selectFrom('guardians')
    .select(['parent_id', 'child_id'])
    .where('child_id', 'in', childIds)
    .where('parent_id', 'in', parentIds)
    .execute();
}

/** Ids of the guardians of the children whose ids a query selects as `child_id`, unique and sorted. */
export async function findGuardianIds(
  db: Reader,
  childIds: Expression<{ readonly child_id: string }>,
): Promise<string[]> {
  const rows = await db
    .selectFrom('guardians')
    .select('parent_id')
    .distinct()
    .where(sql<boolean>`guardians.child_id in ${childIds}`)
    .where(inForce)
    .orderBy('parent_id')
    .execute();
  return rows.map((row) => row.parent_id);
}

/** The guardians of one child, the first guardian first; empty if the child is gone. */
export async function findGuardiansOf(
  db: Reader,
  childId: string,
): Promise<(Guardianship & { readonly isFirst: boolean })[]> {
  const first = (await findFamiliesOf(db, [childId])).get(childId);
  if (first === undefined) return [];
  const found = await findGuardians(db, [{ id: childId, parent_id: first }]);
  return (found.get(childId) ?? []).map((one) => ({ ...one, isFirst: one.parentId === first }));
}

/** The guardians of some children beside the first one of each. */
export async function findFurtherGuardians(
  db: Reader,
  childIds: readonly string[],
): Promise<{ readonly childId: string; readonly parentId: string }[]> {
  if (childIds.length === 0) return [];
  return db
    .selectFrom('guardians')
    .innerJoin('children', 'children.id', 'guardians.child_id')
    .select(['guardians.child_id as childId', 'guardians.parent_id as parentId'])
    .where('children.id', 'in', childIds)
    .where(sql<boolean>`not ${isChildOf(sql.ref('guardians.parent_id'))}`)
    .where(inForce)
    .orderBy('guardians.parent_id')
    .execute();
}

/**
 * Whether somebody who was a guardian of a child has ended since a moment (milliseconds since 1970), or is one who may not take it, whenever
 * that was said. Call it across facilities.
 */
export async function mayHaveLostTaker(db: Reader, childId: string, since: number): Promise<boolean> {
  const row = await db
    .selectFrom('guardians')
    .select('parent_id')
    .where('child_id', '=', childId)
    .where('accepted_at', 'is not', null)
    .where((eb) =>
      eb.or([eb('ended_at', '>=', since), eb.and([eb('ended_at', 'is', null), eb('may_take', '=', 0)])]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a child has another guardian than this parent, or one who was asked and has not answered. */
export async function hasOtherGuardian(db: Reader, childId: string, parentId: string): Promise<boolean> {
  const others = db
    .selectFrom('guardians')
    .select('parent_id')
    .where('child_id', '=', childId)
    .where('parent_id', '!=', parentId)
    .where('ended_at', 'is', null)
    .limit(1);
  return (await others.executeTakeFirst()) !== undefined;
}

/** Whether the parent is a guardian of this child. */
export async function isGuardianOf(db: Reader, childId: string, parentId: string): Promise<boolean> {
  const own = db.selectFrom('children').select('id').where('id', '=', childId).where(isGuardedBy(parentId));
  return (await own.executeTakeFirst()) !== undefined;
}

/** The first guardians of some children, by child. */
export async function findFamiliesOf(db: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('children')
    .select(['id', guardianOf().as('guardian')])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, guardian }) => [id, guardian]));
}
