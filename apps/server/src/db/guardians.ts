/**
 * Who answers for a child (decision 049): its guardians, and the first of them, whose account is its family. Only this file
 * knows how the database keeps them; every other query builds on `isGuardedBy`, or on `guardianOf` where the family is meant.
 */
import { type Expression, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Column of `children` with the id of the child's first guardian. It is not in the schema, so that no other query can name it. */
const COLUMN = 'parent_id';

/** An account that answers for a child, with its rights. */
export interface Guardianship {
  readonly parentId: string;
  readonly name: string;
  /** Whether it may watch the child. */
  readonly mayLive: boolean;
  /** Whether it may change the child's data. */
  readonly mayEdit: boolean;
  /** Whether it may name who collects the child. */
  readonly mayCollect: boolean;
}

/** Id of the first guardian of a child in the query. `table`: the name under which the query reads `children`. */
export function guardianOf(table = 'children'): RawBuilder<string> {
  return sql.ref<string>(`${table}.${COLUMN}`);
}

/** Condition: the first guardian of a child in the query is this parent, by id or by an expression. */
export function isChildOf(parentId: string | Expression<string>, table?: string): RawBuilder<boolean> {
  return sql<boolean>`${guardianOf(table)} = ${parentId}`;
}

/** Condition on a row of guardians: somebody has accepted, and nobody has ended it. */
const inForce = sql<boolean>`guardians.accepted_at is not null and guardians.ended_at is null`;

/** Condition: one of these parents is a guardian of a child in the query. */
export function isGuardedBy(...parentIds: readonly string[]): RawBuilder<boolean> {
  // By the index of parents; from each child, SQLite would look through all children.
  return sql<boolean>`children.id in (
    select guardians.child_id from guardians where guardians.parent_id in (${sql.join(parentIds)}) and ${inForce})`;
}

/** Condition: a parent is a guardian of a child that is known at a facility. */
export function isGuardianAt(parentId: Expression<string>, facility: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from guardians join child_facilities as scope_cf
      on scope_cf.child_id = guardians.child_id
    where guardians.parent_id = ${parentId} and ${inForce} and scope_cf.facility_id = ${facility})`;
}

/** Condition: a parent is a guardian of any child. On PostgreSQL only of those that the policies show. */
export function isGuardian(parentId: Expression<string>): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from guardians where guardians.parent_id = ${parentId} and ${inForce})`;
}

/** Condition: a parent is a guardian of a child, or has been asked to become one. Ask it for the whole organisation. */
export function isGuardianOrAsked(parentId: Expression<string>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from guardians where guardians.parent_id = ${parentId} and guardians.ended_at is null)`;
}

/** The columns of a new child that make this parent its first guardian. {@link insertFirstGuardian} adds the row. */
export function ofGuardian(parentId: string): object {
  return { [COLUMN]: parentId };
}

/** Adds the row of a new child's first guardian, with all rights. A child without it is nobody's. `at`: milliseconds since 1970. */
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

/** The guardians of some children, by child: accepted and not ended, the first guardian first. */
export async function findGuardians(
  db: Reader,
  children: readonly { readonly id: string; readonly parent_id: string; readonly parent_name?: string }[],
): Promise<Map<string, Guardianship[]>> {
  const byId = new Map(children.map((child) => [child.id, child]));
  if (byId.size === 0) return new Map();
  const rows = await db
    .selectFrom('guardians')
    .select(['child_id', 'parent_id', 'may_live', 'may_edit', 'may_collect'])
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
      mayLive: row.may_live === 1,
      mayEdit: row.may_edit === 1,
      mayCollect: row.may_collect === 1,
    },
  }));
  const byChild = Map.groupBy(guardians, ({ childId }) => childId);
  return new Map([...byChild].map(([id, found]) => [id, found.map(({ guardian }) => guardian)]));
}

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

/** Ids of the children whose first guardian is this parent, unordered. */
export async function findChildIdsOf(db: Reader, parentId: string): Promise<string[]> {
  const rows = await db.selectFrom('children').select('id').where(isChildOf(parentId)).execute();
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
