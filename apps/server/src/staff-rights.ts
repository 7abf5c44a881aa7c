/** Nobody gives, changes or takes away rights that they do not have themselves (decision 042). */
import type { Permission } from '@haris/contract/permissions';
import type { Transaction } from 'kysely';
import type { Actor } from './actor.ts';
import { AppError } from './app-error.ts';
import { findFacilitiesOfChild } from './db/facilities.ts';
import { findHeldPlaces } from './db/guardians/children-of.ts';
import { findMembersEverywhere, findRights } from './db/memberships.ts';
import type { Database } from './db/schema.ts';
import { ALL_FACILITIES, acrossFacilities } from './facility.ts';

/** Permissions by facility. */
type Rights = ReadonlyMap<string, ReadonlySet<Permission>>;

/** Whether somebody with these rights has each of the others, at the same facility or everywhere. Pure. */
function covers(own: Rights, others: Rights): boolean {
  const everywhere = own.get(ALL_FACILITIES);
  return [...others].every(([facility, permissions]) =>
    [...permissions].every((one) => everywhere?.has(one) || own.get(facility)?.has(one)),
  );
}

/** Throws `beyond_own_rights` unless the actor has all these rights. */
export async function requireRights(trx: Transaction<Database>, actor: Actor, rights: Rights): Promise<void> {
  if (!covers(await findRights(trx, actor.id), rights)) throw new AppError('beyond_own_rights');
}

/** Throws `beyond_own_rights` if this staff member may do anything that the actor may not. */
export async function requireRightsOf(
  trx: Transaction<Database>,
  actor: Actor,
  staffId: string,
): Promise<void> {
  await requireRights(trx, actor, await findRights(trx, staffId));
}

/**
 * Throws `beyond_own_rights` unless the actor has a permission at each facility where the family is known, or was asked to become a
 * guardian: who has the account can say yes.
 */
export async function requireRightsOverFamily(
  trx: Transaction<Database>,
  actor: Actor,
  parentId: string,
  permission: Permission,
): Promise<void> {
  const places = await acrossFacilities(() => findHeldPlaces(trx, parentId));
  await requireRights(trx, actor, new Map(places.map((place) => [place, new Set([permission])])));
}

/** Throws `beyond_own_rights` unless the actor has a permission at each facility where the child is known. */
export async function requireRightsOverChild(
  trx: Transaction<Database>,
  actor: Actor,
  childId: string,
  permission: Permission,
): Promise<void> {
  const places = await findFacilitiesOfChild(trx, childId);
  await requireRights(trx, actor, new Map(places.map((place) => [place, new Set([permission])])));
}

/** Throws `last_owner` if this staff member is the only owner at all facilities. The caller has locked all staff. */
export async function requireAnotherOwner(trx: Transaction<Database>, staffId: string): Promise<void> {
  const owners = await findMembersEverywhere(trx, 'owner');
  if (owners.includes(staffId) && owners.length === 1) throw new AppError('last_owner');
}
