/** Asks in the transaction that writes what a guardian may do (decision 049). */
import type { Actor } from './actor.ts';
import { AppError } from './app-error.ts';
import { lockChild } from './db/children.ts';
import { findGuardians, type Guardianship } from './db/guardians/of-child.ts';
import type { Tx } from './db/transaction.ts';
import { firstGuardian, guardianshipOf } from './policy.ts';

/** The child whose row is locked. */
export interface LockedChild {
  readonly id: string;
  /** Its first guardian. */
  readonly parent_id: string;
}

/** What a guardian needs beside being one; null: nothing. */
type Right = Extract<keyof Guardianship, 'mayEdit' | 'mayCollect' | 'mayTake'> | null;

/** Who of the guardians may do it: the first one alone, or every one with the right. */
type Whose = 'first' | 'any';

/**
 * Locks a child for a change by this actor until the transaction ends. A parent must be the first guardian now, or any one, with this
 * right: the calls that end or limit a guardian lock the child too, so nobody writes with a right that was taken away since
 * the call began. What staff may do is asked by the guard of their call. `own`: what the guardian may do; undefined for staff. Throws 404.
 */
export async function lockChildFor(
  { trx }: Tx,
  actor: Pick<Actor, 'kind' | 'id'>,
  childId: string,
  right: Right,
  whose: Whose = 'first',
): Promise<LockedChild & { readonly own: Guardianship | undefined }> {
  const locked = await lockChild(trx, childId);
  if (!locked) throw new AppError('not_found');
  const child = { id: childId, ...locked };
  if (actor.kind === 'admin') return { ...child, own: undefined };
  const guardians = (await findGuardians(trx, [child])).get(childId) ?? [];
  const asked = whose === 'any' ? guardians : firstGuardian({ ...child, guardians });
  const own = guardianshipOf(actor, asked);
  if (!own || (right !== null && !own[right])) throw new AppError('not_found');
  return { ...child, own };
}
