/** Who may do what: the only place where an actor's kind and permissions decide. Pure. */
import type { RoutePermission } from '@haris/contract/http/route';
import { BUILT_IN_ROLES, type Permission } from '@haris/contract/permissions';
import type { Actor } from './actor.ts';

/** Permissions of a parent for their own family; parents have no role. */
const OWN_FAMILY: ReadonlySet<Permission> = new Set([
  'families.view',
  'families.edit',
  'care.view',
  'care.edit',
  'care_log.view',
  'live.watch',
]);

/** The part of an actor on which permissions depend. */
export type Permitted = Pick<Actor, 'kind' | 'id' | 'permissions'>;

/** Whether the actor may do this; `family` is the id of the parent concerned. */
export function may(actor: Permitted, permission: Permission, family?: string): boolean {
  if (actor.kind === 'admin') return actor.permissions.has(permission);
  return OWN_FAMILY.has(permission) && isOwnFamily(actor, family);
}

const DESK_ROLE: ReadonlySet<Permission> = new Set(BUILT_IN_ROLES.desk);

/** The permissions of a staff member's session. At a desk tablet, only those that the role `desk` has too (decision 045). */
export function permissionsAt(own: ReadonlySet<Permission>, deskId: string | null): ReadonlySet<Permission> {
  return deskId === null ? own : own.intersection(DESK_ROLE);
}

/** Whether the actor is the parent of this family. */
export function isOwnFamily(actor: Permitted, family: string | undefined): boolean {
  return actor.kind === 'parent' && family === actor.id;
}

/** Whether the permission of a call lets the actor in. The call itself decides which family a parent may name. */
export function mayCall(actor: Permitted, permission: RoutePermission): boolean {
  if (permission === 'own' || permission === 'by-subject' || actor.kind === 'parent') return true;
  return may(actor, permission);
}

/** The rights of a staff member with which a call was admitted, or those of now. */
type StaffRights = Pick<Actor, 'permissions' | 'everywhere'>;

/**
 * Whether a call of a staff member that was admitted with some rights may still write. It may not once any of them is lost,
 * also another than the route's permission: what a call does depends on others too, such as confirming at a check-in.
 */
export function keepsRights(
  before: StaffRights,
  now: StaffRights,
  permission: RoutePermission | undefined,
): boolean {
  if (permission === 'own') return true;
  return before.permissions.isSubsetOf(now.permissions) && before.everywhere.isSubsetOf(now.everywhere);
}
