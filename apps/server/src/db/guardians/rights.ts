/** What guardians may do with a child, and changes of it (decision 049). */
import { sql, type Transaction } from 'kysely';
import type { Database } from '../schema.ts';
import { isChildOf } from './conditions.ts';

/** What a guardian may do. */
export interface GuardianRights {
  /** Whether it may watch the child. */
  readonly mayLive: boolean;
  /** Whether it may change the child's data. */
  readonly mayEdit: boolean;
  /** Whether it may name who collects the child. */
  readonly mayCollect: boolean;
  /** Whether it may take the child home. */
  readonly mayTake: boolean;
}

/** The columns of guardians with the rights; {@link rightsOf} reads them. */
export const RIGHT_COLUMNS = [
  'guardians.may_live',
  'guardians.may_edit',
  'guardians.may_collect',
  'guardians.may_take',
] as const;

/** The rights in a row of guardians. */
export function rightsOf(
  row: Pick<Database['guardians'], 'may_live' | 'may_edit' | 'may_collect' | 'may_take'>,
): GuardianRights {
  return {
    mayLive: row.may_live === 1,
    mayEdit: row.may_edit === 1,
    mayCollect: row.may_collect === 1,
    mayTake: row.may_take === 1,
  };
}

/** The columns of a row of guardians with these rights. */
export function rightColumns({ mayLive, mayEdit, mayCollect, mayTake }: GuardianRights) {
  const column = (may: boolean) => (may ? 1 : 0);
  return {
    may_live: column(mayLive),
    may_edit: column(mayEdit),
    may_collect: column(mayCollect),
    may_take: column(mayTake),
  } as const;
}

/** Changes the rights of a guardian who has not ended. */
export async function updateGuardianRights(
  trx: Transaction<Database>,
  { childId, parentId }: { readonly childId: string; readonly parentId: string },
  rights: GuardianRights,
): Promise<void> {
  await trx
    .updateTable('guardians')
    .set(rightColumns(rights))
    .where('child_id', '=', childId)
    .where('parent_id', '=', parentId)
    .where('ended_at', 'is', null)
    .execute();
}

/**
 * Takes the right to take a child home from all guardians beside the first one, and from those who were asked. Returns who had it. Call it
 * across facilities.
 */
export async function limitFurtherGuardians(
  trx: Transaction<Database>,
): Promise<{ readonly childId: string; readonly parentId: string }[]> {
  const isFirst = sql<boolean>`exists (select 1 from children
    where children.id = guardians.child_id and ${isChildOf(sql.ref('guardians.parent_id'))})`;
  const rows = await trx
    .updateTable('guardians')
    .set({ may_take: 0 })
    .where('may_take', '=', 1)
    .where('ended_at', 'is', null)
    .where(sql<boolean>`not ${isFirst}`)
    .returning(['child_id', 'parent_id'])
    .execute();
  return rows
    .map((row) => ({ childId: row.child_id, parentId: row.parent_id }))
    .sort((a, b) => (a.childId + a.parentId < b.childId + b.parentId ? -1 : 1));
}
