/** Which sensors an account may read: those of the facilities that concern it (decision 048). */
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { findFacilitiesOfFamilies } from '../../db/facilities.ts';
import { acrossFacilities } from '../../facility.ts';

/**
 * Facilities whose sensors concern an account: the one at which it works, or, for a parent who works at no single one,
 * those where the children are known.
 */
export async function findPlaces(
  { db }: Pick<Context, 'db'>,
  { id, facility }: Pick<Actor, 'id' | 'facility'>,
): Promise<ReadonlySet<string>> {
  if (facility !== null) return new Set([facility]);
  return new Set((await acrossFacilities(() => findFacilitiesOfFamilies(db, [id]))).get(id));
}
