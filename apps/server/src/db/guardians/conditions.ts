/**
 * Who answers for a child (decision 049): its guardians, and the first of them, whose account is its family. Only this folder
 * knows how the database keeps them, and only this file the column of the first one; every other query builds on `isGuardedBy`,
 * or on `guardianOf` where the family is meant.
 */
import { type Expression, type RawBuilder, sql } from 'kysely';

/** Column of `children` with the id of the child's first guardian. It is not in the schema, so that no other query can name it. */
const COLUMN = 'parent_id';

/** Id of the first guardian of a child in the query. `table`: the name under which the query reads `children`. */
export function guardianOf(table = 'children'): RawBuilder<string> {
  return sql.ref<string>(`${table}.${COLUMN}`);
}

/** Condition: the first guardian of a child in the query is this parent, by id or by an expression. */
export function isChildOf(parentId: string | Expression<string>, table?: string): RawBuilder<boolean> {
  return sql<boolean>`${guardianOf(table)} = ${parentId}`;
}

/** Condition on a row of guardians: somebody has accepted, and nobody has ended it. */
export const inForce = sql<boolean>`guardians.accepted_at is not null and guardians.ended_at is null`;

/** Condition on a row of guardians: the account is barred from taking the child. */
export const isBarred = sql<boolean>`exists (select 1 from barred_adults where barred_adults.child_id = guardians.child_id
  and barred_adults.adult_id = guardians.parent_id and barred_adults.lifted_at is null)`;

/**
 * Condition: the first guardian of a child in the query has accepted and has not ended. So it is but for one whom the restore of a
 * backup has put there, because nobody else was left: it sees nothing before it has accepted.
 */
export const hasFamily = sql<boolean>`exists (select 1 from guardians
  where guardians.child_id = children.id and guardians.parent_id = ${guardianOf()} and ${inForce})`;

/** Condition: the parent is a guardian of a child in the query who may take it home. */
export function isTakenBy(parentId: string): RawBuilder<boolean> {
  return sql<boolean>`children.id in (select guardians.child_id from guardians
    where guardians.parent_id = ${parentId} and guardians.may_take = 1 and ${inForce})`;
}

/** Condition: a child in the query has a guardian beside the first one. */
export const hasFurtherGuardian = sql<boolean>`exists (select 1 from guardians
  where guardians.child_id = children.id and guardians.parent_id != ${guardianOf()} and ${inForce})`;

/** Condition: a child in the query has a guardian who may not take it home. */
export const hasLimitedGuardian = sql<boolean>`exists (select 1 from guardians
  where guardians.child_id = children.id and guardians.may_take = 0 and ${inForce})`;

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
