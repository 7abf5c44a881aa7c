/** Makes accounts guardians of a child, and changes their rows, without the calls. */
import { type Ending, endGuardian } from '../db/guardians/ends.ts';
import type { Database } from '../db/schema.ts';
import { inTransaction } from '../db/transaction.ts';
import { acrossFacilities } from '../facility.ts';
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
      ...{ child_id: childId, parent_id: parentId, may_live: 1, may_edit: 1, may_collect: 1, may_take: 1 },
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

/** Ends by the desk, now, without a look at bars by name or phone. */
export function endingIn({ context }: TestApp): Ending {
  return { by: 'desk', at: context.clock.now(), mayTakeOver: async () => true };
}

/** Passes a child on from its first guardian, who stays a further guardian with all rights. */
export async function passOn(app: TestApp, childId: string, parentId: string): Promise<void> {
  const end = await acrossFacilities(() =>
    inTransaction(app.context.db, ({ trx }) => endGuardian(trx, { childId, parentId }, endingIn(app))),
  );
  if (end !== 'ended') throw new Error(`the child was not passed on: ${end}`);
  await changeGuardian(app, childId, parentId, { ended_at: null, ended_by: null });
}
