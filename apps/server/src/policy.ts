/** Who may do what: the only place where an actor's kind and permissions decide. Pure. */
import type { RoutePermission } from '@haris/contract/http/route';
import type { PeopleOpening } from '@haris/contract/live/sockets';
import { BUILT_IN_ROLES, type Permission } from '@haris/contract/permissions';
import type { Actor } from './actor.ts';
import type { Guardianship } from './db/guardians/of-child.ts';

/**
 * Permissions of a parent for the own family and for each child whose guardian the parent is, with the right that the
 * guardian needs; null: none besides being one. Parents have no role.
 */
const OWN_FAMILY: ReadonlyMap<Permission, 'mayLive' | 'mayEdit' | null> = new Map<
  Permission,
  'mayLive' | 'mayEdit' | null
>([
  ['families.view', null],
  ['families.edit', 'mayEdit'],
  ['care.view', null],
  ['care.edit', 'mayEdit'],
  ['care_log.view', null],
  ['live.watch', 'mayLive'],
]);

/** The part of an actor on which permissions depend. */
export type Permitted = Pick<Actor, 'kind' | 'id' | 'permissions'>;

/** Whom something concerns: the account with this id, or the child with these guardians. */
type Whose = string | readonly Guardianship[];

/** Whether the actor may do this, to whom it concerns. */
export function may(actor: Permitted, permission: Permission, whose?: Whose): boolean {
  if (actor.kind === 'admin') return actor.permissions.has(permission);
  const right = OWN_FAMILY.get(permission);
  if (right === undefined || whose === undefined) return false;
  if (typeof whose === 'string') return whose === actor.id;
  const own = guardianshipOf(actor, whose);
  return own !== undefined && (right === null || own[right]);
}

/** Whether the actor may see a photo of families. That of a barred adult is for staff who read the bars, and never a family's. */
export function maySeePhoto(
  actor: Permitted,
  { whose, barId }: { readonly whose: Whose; readonly barId: string | null },
): boolean {
  return may(actor, 'families.view', whose) && (barId === null || may(actor, 'barred.view'));
}

/** The actor's own guardianship of a child; undefined if the actor is none of its guardians. */
export function guardianshipOf(
  actor: Pick<Permitted, 'kind' | 'id'>,
  guardians: readonly Guardianship[],
): Guardianship | undefined {
  return actor.kind === 'parent' ? guardians.find(({ parentId }) => parentId === actor.id) : undefined;
}

/**
 * Of the guardians of a child the first one, whose account is its family; none if that account is no guardian any more. For
 * what would show one household what another has entered.
 */
export function firstGuardian(child: {
  readonly parent_id: string;
  readonly guardians: readonly Guardianship[];
}): readonly Guardianship[] {
  return child.guardians.filter(({ parentId }) => parentId === child.parent_id);
}

const DESK_ROLE: ReadonlySet<Permission> = new Set(BUILT_IN_ROLES.desk);

/** The permissions of a staff member's session. At a desk tablet, only those that the role `desk` has too (decision 045). */
export function permissionsAt(own: ReadonlySet<Permission>, deskId: string | null): ReadonlySet<Permission> {
  return deskId === null ? own : own.intersection(DESK_ROLE);
}

/** Whether the permission of a call lets the actor in. The call itself decides which family a parent may name. */
export function mayCall(actor: Permitted, permission: RoutePermission): boolean {
  if (permission === 'own' || permission === 'by-subject' || actor.kind === 'parent') return true;
  return may(actor, permission);
}

/** Whether a person may open a socket or stream, and keep it open. What it shows decides which family a parent may name. */
export function mayOpen({ access, permission }: PeopleOpening, actor: Permitted): boolean {
  return (access === 'signed-in' || actor.kind === 'admin') && mayCall(actor, permission);
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
