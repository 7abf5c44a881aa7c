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
  /** When it accepted, in milliseconds since 1970: another than the first guardian is told of nothing before. */
  readonly since: number;
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

/**
 * Condition on a row that names a child and a moment: the parent is the child's first guardian, or was a guardian at that
 * moment already. `childId`, `at`: columns of the query.
 */
export function isKnownTo(parentId: string, childId: string, at: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from guardians join children on children.id = guardians.child_id
    where guardians.child_id = ${sql.ref(childId)} and guardians.parent_id = ${parentId} and ${inForce}
      and (${isChildOf(parentId)} or guardians.accepted_at <= ${sql.ref(at)}))`;
}

/** Condition on a row that names a child in this column: the parent is the child's first guardian. */
export function isFirstGuardianOf(parentId: string, childId: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from guardians join children on children.id = guardians.child_id
    where guardians.child_id = ${sql.ref(childId)} and guardians.parent_id = ${parentId} and ${inForce}
      and ${isChildOf(parentId)})`;
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

/**
 * The guardian who becomes the first one when another one ends: of those with all rights, the one who accepted first. Nobody
 * whose account is blocked or was disowned, or who is barred from taking the child: the desk would call them as its family.
 */
async function findNextFirst(
  trx: Transaction<Database>,
  childId: string,
  endedId: string,
): Promise<string | undefined> {
  const isBarred = sql<boolean>`exists (select 1 from barred_adults where barred_adults.child_id = ${childId}
    and barred_adults.adult_id = guardians.parent_id and barred_adults.lifted_at is null)`;
  const row = await trx
    .selectFrom('guardians')
    .innerJoin('parents', 'parents.id', 'guardians.parent_id')
    .select('guardians.parent_id')
    .where('guardians.child_id', '=', childId)
    .where('guardians.parent_id', '!=', endedId)
    .where(inForce)
    .where((eb) => eb.and({ may_live: 1, may_edit: 1, may_collect: 1 }))
    .where('parents.blocked_at', 'is', null)
    .where('parents.disowned_at', 'is', null)
    .where(sql<boolean>`not ${isBarred}`)
    .orderBy('guardians.accepted_at')
    .orderBy('guardians.parent_id')
    .limit(1)
    .executeTakeFirst();
  return row?.parent_id;
}

/**
 * Ends a guardian, or the question whether an account becomes one, and locks the child until the transaction ends. A first
 * guardian passes the child on: `last_guardian`, without any change, if nobody else could answer for it. `not_found`: there is
 * no such child, or no such guardian any more. `by`: who ends it. `at`: milliseconds since 1970.
 */
export async function endGuardian(
  trx: Transaction<Database>,
  { childId, parentId }: { readonly childId: string; readonly parentId: string },
  { by, at }: { readonly by: string; readonly at: number },
): Promise<'ended' | 'last_guardian' | 'not_found'> {
  const child = await trx
    .updateTable('children')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', childId)
    .returning(guardianOf().as('first'))
    .executeTakeFirst();
  if (!child) return 'not_found';
  const own = trx
    .selectFrom('guardians')
    .select('parent_id')
    .where('child_id', '=', childId)
    .where('parent_id', '=', parentId)
    .where('ended_at', 'is', null);
  if (!(await own.executeTakeFirst())) return 'not_found';
  if (child.first === parentId) {
    const next = await findNextFirst(trx, childId, parentId);
    if (next === undefined) return 'last_guardian';
    await trx.updateTable('children').set(ofGuardian(next)).where('id', '=', childId).execute();
  }
  await trx
    .updateTable('guardians')
    .set({ ended_at: at, ended_by: by })
    .where('child_id', '=', childId)
    .where('parent_id', '=', parentId)
    .execute();
  return 'ended';
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
    .select(['child_id', 'parent_id', 'may_live', 'may_edit', 'may_collect', 'accepted_at'])
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
      since: Number(row.accepted_at),
    },
  }));
  const byChild = Map.groupBy(guardians, ({ childId }) => childId);
  return new Map([...byChild].map(([id, found]) => [id, found.map(({ guardian }) => guardian)]));
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
 * Whether the parent is the first guardian of a child, or a further one who has not ended, also one who was asked and has not
 * answered. What protects an account that sees children builds on it.
 */
export async function hasChildRows(db: Reader, parentId: string): Promise<boolean> {
  const isHeld = sql<boolean>`(${isChildOf(parentId)} or children.id in (
    select guardians.child_id from guardians where guardians.parent_id = ${parentId} and guardians.ended_at is null))`;
  const children = db.selectFrom('children').select('id').where(isHeld).limit(1);
  return (await children.executeTakeFirst()) !== undefined;
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

/** Whether the parent is a guardian of a child. */
export async function hasGuardedChild(db: Reader, parentId: string): Promise<boolean> {
  const children = db.selectFrom('children').select('id').where(isGuardedBy(parentId)).limit(1);
  return (await children.executeTakeFirst()) !== undefined;
}

/** Whether there is a child with this id, and the parent is no guardian of it. */
export async function isStrangerTo(db: Reader, childId: string, parentId: string): Promise<boolean> {
  const others = db
    .selectFrom('children')
    .select('id')
    .where('id', '=', childId)
    .where(sql<boolean>`not ${isGuardedBy(parentId)}`);
  return (await others.executeTakeFirst()) !== undefined;
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

/**
 * Passes the children of an account that is deleted on to their next guardians, and locks all of them. Returns the ids of those
 * who have none, sorted: they go with the account. `at`: milliseconds since 1970.
 */
export async function passOnChildren(
  trx: Transaction<Database>,
  parentId: string,
  at: number,
): Promise<string[]> {
  const left: string[] = [];
  for (const childId of (await lockChildrenOf(trx, parentId)).sort()) {
    const end = await endGuardian(trx, { childId, parentId }, { by: parentId, at });
    if (end !== 'ended') left.push(childId);
  }
  return left;
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
