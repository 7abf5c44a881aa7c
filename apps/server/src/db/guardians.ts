/**
 * Which parent answers for a child: children of a parent, parent of a child. Only this file knows how the database keeps it;
 * every other query builds on `guardianOf`.
 */
import { type Expression, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Column of `children` with the id of the child's parent. It is not in the schema, so that no other query can name it. */
const COLUMN = 'parent_id';

/** Id of the parent of a child in the query. `table`: the name under which the query reads `children`. */
export function guardianOf(table = 'children'): RawBuilder<string> {
  return sql.ref<string>(`${table}.${COLUMN}`);
}

/** Condition: a child in the query is of this parent, by id or by an expression. */
export function isChildOf(parentId: string | Expression<string>, table?: string): RawBuilder<boolean> {
  return sql<boolean>`${guardianOf(table)} = ${parentId}`;
}

/** The columns of a new child that make it a child of this parent. */
export function ofGuardian(parentId: string): object {
  return { [COLUMN]: parentId };
}

/** Whether the parent has a child. */
export async function hasChildRows(db: Reader, parentId: string): Promise<boolean> {
  const children = db.selectFrom('children').select('id').where(isChildOf(parentId)).limit(1);
  return (await children.executeTakeFirst()) !== undefined;
}

/** Ids of the children of a parent, unordered. */
export async function findChildIdsOf(db: Reader, parentId: string): Promise<string[]> {
  const rows = await db.selectFrom('children').select('id').where(isChildOf(parentId)).execute();
  return rows.map((row) => row.id);
}

/** Locks the children of a parent until the transaction ends, and returns their ids. */
export async function lockChildrenOf(trx: Transaction<Database>, parentId: string): Promise<string[]> {
  const children = await trx
    .updateTable('children')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where(isChildOf(parentId))
    .returning('id')
    .execute();
  return children.map(({ id }) => id);
}

/** The parents of some children, by child. */
export async function findFamiliesOf(db: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('children')
    .select(['id', guardianOf().as('guardian')])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, guardian }) => [id, guardian]));
}
