/** The catalogue of permissions, and the roles that come with Haris (decision 042). */
import * as z from 'zod/mini';

/** The permissions that a role can contain. One that ends in `.view` only reads. */
export const PERMISSIONS = [
  /** See children and their families, with photos and past stays; search them. */
  'families.view',
  /** Add and change families and children; confirm what a family changed; send links again. */
  'families.edit',
  'families.delete',
  /** Read the care cards of children, and see their allergies in lists (decision 050). */
  'care.view',
  'care.edit',
  /** Read the care logs of children (decision 052). */
  'care_log.view',
  /** Make entries in care logs, and correct them. */
  'care_log.record',
  /** Add many families from a file. */
  'families.import',
  /** Block a family's account, and remove a parent's second factors. */
  'families.block',
  /** Check in and out, extend, undo; answer kiosks and announced pick-ups; enter absences; say that a child is missing or found. */
  'children.check_in',
  /** See the adults to whom a child must not be handed. */
  'barred.view',
  /** Lift such a bar, and record that a namesake is somebody else. */
  'barred.lift',
  /** Move children between rooms. */
  'children.move',
  /** Set weekly bookings and single days (decision 051). */
  'bookings.edit',
  'rooms.view',
  'rooms.manage',
  /** Watch whole cameras and single children live. */
  'live.watch',
  /** See where cameras recognised children. */
  'sightings.view',
  'cameras.view',
  /** Add, change, pair and delete cameras, and draw their zones. */
  'cameras.manage',
  'sensors.view',
  'sensors.manage',
  /** Webhook and Home Assistant accounts. */
  'integrations.manage',
  'incidents.view',
  'incidents.acknowledge',
  /** Start and end an evacuation, and tick the roll call. */
  'evacuation.run',
  'visitors.view',
  'visitors.sign_in',
  'kiosks.manage',
  'reports.view',
  'reports.export',
  'audit.view',
  'audit.export',
  'staff.view',
  /** Add, change and delete staff, and give them roles. */
  'staff.manage',
  /** Make and change roles. */
  'roles.manage',
  'settings.view',
  'settings.manage',
  /** Mail server, second factors of staff, and whatever else opens accounts. */
  'security.manage',
  /** Add facilities, and say which families belong to them. */
  'facilities.manage',
  /** Be told of incidents that only the operator of the installation can end, and see the installation's health. */
  'installation.operate',
] as const;

export const permissionSchema = z.enum(PERMISSIONS);
export type Permission = z.infer<typeof permissionSchema>;

/** They concern all facilities, so they count only for somebody who has them at each. */
export const ORGANISATION_PERMISSIONS: ReadonlySet<Permission> = new Set([
  'roles.manage',
  'security.manage',
  'facilities.manage',
  'installation.operate',
]);

const EVERYTHING: readonly Permission[] = PERMISSIONS;

const TEACHER = [
  'families.view',
  'care.view',
  'care_log.view',
  'care_log.record',
  'children.check_in',
  'barred.view',
  'children.move',
  'rooms.view',
  'live.watch',
  'sightings.view',
  'cameras.view',
  'sensors.view',
  'incidents.view',
  'incidents.acknowledge',
  'evacuation.run',
  'visitors.view',
  'visitors.sign_in',
  'settings.view',
] as const satisfies readonly Permission[];

/** Ids of the roles that come with Haris, those with the most permissions first. */
export const BUILT_IN_ROLE_IDS = ['owner', 'manager', 'desk', 'teacher', 'inspector'] as const;
export type BuiltInRoleId = (typeof BUILT_IN_ROLE_IDS)[number];

/** The roles that come with Haris. Nobody can change them; a newer version may. */
export const BUILT_IN_ROLES: Readonly<Record<BuiltInRoleId, readonly Permission[]>> = {
  owner: EVERYTHING,
  // Lifting a bar is the owner's decision.
  manager: EVERYTHING.filter(
    (permission) => !ORGANISATION_PERMISSIONS.has(permission) && permission !== 'barred.lift',
  ),
  desk: [...TEACHER, 'families.edit', 'care.edit', 'bookings.edit', 'reports.view', 'staff.view'],
  teacher: TEACHER,
  inspector: [
    'families.view',
    'rooms.view',
    'sensors.view',
    'incidents.view',
    'visitors.view',
    'reports.view',
    'audit.view',
    'staff.view',
    'settings.view',
  ],
};

/** The role of a new staff member if none is named: it permits what an employee of the specification may do. */
export const DEFAULT_ROLE_ID: BuiltInRoleId = 'manager';

/** Whether a role comes with Haris. */
export function isBuiltInRole(id: string): id is BuiltInRoleId {
  return Object.hasOwn(BUILT_IN_ROLES, id);
}
