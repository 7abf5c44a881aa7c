/** Questions whether an account becomes a guardian, and the answers (decision 049). */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../schema.ts';
import { isBarred } from './conditions.ts';
import { type GuardianRights, RIGHT_COLUMNS, rightColumns, rightsOf } from './rights.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Condition on a row of guardians: staff have asked, and neither is there an answer, nor has anybody ended it. */
const isAsked = sql<boolean>`guardians.accepted_at is null and guardians.ended_at is null`;

/**
 * Adds the question whether an account becomes a guardian, or asks anew one who has ended. The caller has seen that there is no
 * such row in force. `by`: who asks. `at`: milliseconds since 1970.
 */
export async function insertAskedGuardian(
  trx: Transaction<Database>,
  { childId, parentId }: { readonly childId: string; readonly parentId: string },
  rights: GuardianRights,
  { by, at }: { readonly by: string; readonly at: number },
): Promise<void> {
  const row = {
    ...rightColumns(rights),
    ...{ added_by: by, added_at: at, accepted_at: null, ended_at: null, ended_by: null },
  };
  await trx
    .insertInto('guardians')
    .values({ child_id: childId, parent_id: parentId, ...row })
    .onConflict((conflict) => conflict.columns(['child_id', 'parent_id']).doUpdateSet(row))
    .execute();
}

/** A child whose guardian staff have asked an account to become. */
interface AskedFor extends GuardianRights {
  readonly childId: string;
  readonly childName: string;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
}

/**
 * What an account was asked and has not answered, oldest first; not about a child from which it is barred. Call it across
 * facilities.
 */
export async function findAskedFor(db: Reader, parentId: string): Promise<AskedFor[]> {
  const rows = await db
    .selectFrom('guardians')
    .innerJoin('children', 'children.id', 'guardians.child_id')
    .select(['children.id', 'children.name', ...RIGHT_COLUMNS, 'guardians.added_at'])
    .where('guardians.parent_id', '=', parentId)
    .where(isAsked)
    .where(sql<boolean>`not ${isBarred}`)
    .orderBy('guardians.added_at')
    .orderBy('children.id')
    .execute();
  return rows.map((row) => ({
    childId: row.id,
    childName: row.name,
    ...rightsOf(row),
    askedAt: Number(row.added_at),
  }));
}

/** Ids of the children about whom an account was asked and has not answered, sorted. Call it across facilities. */
export async function findAskedChildIds(db: Reader, parentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('guardians')
    .select('child_id')
    .where('parent_id', '=', parentId)
    .where(isAsked)
    .orderBy('child_id')
    .execute();
  return rows.map((row) => row.child_id);
}

/**
 * Makes an account that was asked a guardian; false if it was not asked, has answered, or is barred from the child. Lock the
 * child first. `at`: milliseconds since 1970.
 */
export async function acceptGuardian(
  trx: Transaction<Database>,
  { childId, parentId }: { readonly childId: string; readonly parentId: string },
  at: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('guardians')
    .set({ accepted_at: at })
    .where('child_id', '=', childId)
    .where('parent_id', '=', parentId)
    .where(isAsked)
    .where(sql<boolean>`not ${isBarred}`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Ends a question because the account says no, also of one whom the restore of a backup has made the first guardian: then staff find
 * nobody who answers for the child. Lock the child first. `at`: milliseconds since 1970.
 */
export async function declineGuardian(
  trx: Transaction<Database>,
  { childId, parentId }: { readonly childId: string; readonly parentId: string },
  at: number,
): Promise<void> {
  await trx
    .updateTable('guardians')
    .set({ ended_at: at, ended_by: parentId })
    .where('child_id', '=', childId)
    .where('parent_id', '=', parentId)
    .where(isAsked)
    .execute();
}
