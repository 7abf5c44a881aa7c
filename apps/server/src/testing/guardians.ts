/** Makes accounts guardians of a child, and changes their rows, as no call does yet. */
import type { Database } from '../db/schema.ts';
import type { TestApp } from './harness.ts';

type Columns = Partial<Omit<Database['guardians'], 'child_id' | 'parent_id'>>;

/** Adds an account as a further guardian with all rights, which has accepted, unless `over` says otherwise. */
export async function addGuardian(
  { context }: TestApp,
  childId: string,
  parentId: string,
  over: Columns = {},
): Promise<void> {
  const at = context.clock.now();
  await context.db
    .insertInto('guardians')
    .values({
      ...{ child_id: childId, parent_id: parentId, may_live: 1, may_edit: 1, may_collect: 1 },
      ...{ added_by: 'desk', added_at: at, accepted_at: at, ended_at: null, ended_by: null, ...over },
    })
    .execute();
}

export async function changeGuardian(
  { context }: TestApp,
  childId: string,
  parentId: string,
  columns: Columns,
): Promise<void> {
  await context.db
    .updateTable('guardians')
    .set(columns)
    .where('child_id', '=', childId)
    .where('parent_id', '=', parentId)
    .execute();
}
