/** The end of a guardian, and who becomes the first one instead (decision 049). */
import { sql, type Transaction } from 'kysely';
import type { Database } from '../schema.ts';
import { guardianOf, hasFamily, inForce, isBarred, ofGuardian } from './conditions.ts';

/** Says whether an account may become the first guardian of a child, beside what the rows of guardians say. */
export type MayTakeOver = (childId: string, parentId: string) => Promise<boolean>;

/**
 * What somebody needs who becomes the first guardian: an account that is open, no bar from taking the child, and all rights but that to
 * take it home. That one stays as it is: nobody gets a child by the end of another one, and a barred first guardian ends although the desk
 * has not said yet who takes the child.
 */
const canAnswer = sql<boolean>`(${inForce} and guardians.may_live = 1 and guardians.may_edit = 1 and guardians.may_collect = 1
  and parents.blocked_at is null and parents.disowned_at is null and not ${isBarred})`;

/**
 * The guardian who becomes the first one when another one ends: of those who could answer, the one who accepted first. Nobody
 * whose account is blocked or was disowned, or who is barred from taking the child: the desk would call them as its family.
 */
async function findNextFirst(
  trx: Transaction<Database>,
  childId: string,
  endedId: string,
  mayTakeOver: MayTakeOver,
): Promise<string | undefined> {
  const rows = await trx
    .selectFrom('guardians')
    .innerJoin('parents', 'parents.id', 'guardians.parent_id')
    .select('guardians.parent_id')
    .where('guardians.child_id', '=', childId)
    .where('guardians.parent_id', '!=', endedId)
    .where(canAnswer)
    .orderBy('guardians.accepted_at')
    .orderBy('guardians.parent_id')
    .execute();
  for (const { parent_id: id } of rows) if (await mayTakeOver(childId, id)) return id;
  return undefined;
}

/** Who ends a guardian, when (milliseconds since 1970), and who may become the first one instead. */
export interface Ending {
  readonly by: string;
  readonly at: number;
  readonly mayTakeOver: MayTakeOver;
}

/**
 * Ends a guardian, or the question whether an account becomes one, and locks the child until the transaction ends. A first
 * guardian passes the child on: `last_guardian`, without any change, if nobody else could answer for it. `not_found`: there is
 * no such child, or no such guardian any more.
 */
export async function endGuardian(
  trx: Transaction<Database>,
  { childId, parentId }: { readonly childId: string; readonly parentId: string },
  { by, at, mayTakeOver }: Ending,
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
    const next = await findNextFirst(trx, childId, parentId, mayTakeOver);
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

/**
 * Passes a child that the transaction has locked on from an account that is erased, to whoever is left, whatever rights that one
 * has; rather to one who could take over, and to one who has accepted. False if nobody else has a row that has not ended.
 */
export async function passOnToAnybody(
  trx: Transaction<Database>,
  { childId, parentId }: { readonly childId: string; readonly parentId: string },
): Promise<boolean> {
  const next = await trx
    .selectFrom('guardians')
    .innerJoin('parents', 'parents.id', 'guardians.parent_id')
    .select('guardians.parent_id')
    .where('guardians.child_id', '=', childId)
    .where('guardians.parent_id', '!=', parentId)
    .where('guardians.ended_at', 'is', null)
    .orderBy(
      sql`case when ${canAnswer} then 0 when ${inForce} and not ${isBarred} then 1 when ${inForce} then 2 else 3 end`,
    )
    .orderBy('guardians.accepted_at')
    .orderBy('guardians.parent_id')
    .limit(1)
    .executeTakeFirst();
  if (!next) return false;
  await trx.updateTable('children').set(ofGuardian(next.parent_id)).where('id', '=', childId).execute();
  return true;
}

/** Makes the next guardian the first one of a child that the transaction has locked, if nobody answers for it. */
export async function giveToNext(
  trx: Transaction<Database>,
  childId: string,
  mayTakeOver: MayTakeOver,
): Promise<void> {
  const orphan = trx
    .selectFrom('children')
    .select('id')
    .where('id', '=', childId)
    .where(sql<boolean>`not ${hasFamily}`);
  if (!(await orphan.executeTakeFirst())) return;
  const next = await findNextFirst(trx, childId, '', mayTakeOver);
  if (next !== undefined)
    await trx.updateTable('children').set(ofGuardian(next)).where('id', '=', childId).execute();
}
