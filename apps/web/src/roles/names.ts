/** Names of roles and permissions in the reader's language. Their texts are in the namespace `roles`. */
import { isBuiltInRole, PERMISSIONS, type Permission } from '@haris/contract/permissions';
import { useTranslation } from 'react-i18next';

/** The name of a role: its own, or that of one that comes with Haris. */
export function useRoleName(): (role: { readonly id: string; readonly name: string | null }) => string {
  const { t } = useTranslation('roles');
  return ({ id, name }) => name ?? (isBuiltInRole(id) ? t(`role.${id}`) : t('give.unknown'));
}

type Key<P extends string> = P extends `${infer Before}.${infer After}` ? `${Before}_${After}` : P;

/** Key of a permission's text: keys of texts may not have a dot. */
function keyOf<P extends Permission>(permission: P): Key<P> {
  return permission.replace('.', '_') as Key<P>;
}

export function usePermissionName(): (permission: Permission) => string {
  const { t } = useTranslation('roles');
  return (permission) => t(`permission.${keyOf(permission)}`);
}

/** The part of a permission before the dot. */
type SubjectOf<P> = P extends `${infer Subject}.${string}` ? Subject : never;

const GROUP_OF = {
  families: 'families',
  barred: 'families',
  care: 'families',
  care_log: 'day',
  children: 'day',
  bookings: 'day',
  visitors: 'day',
  kiosks: 'rooms',
  rooms: 'rooms',
  live: 'rooms',
  sightings: 'rooms',
  cameras: 'rooms',
  sensors: 'rooms',
  integrations: 'rooms',
  incidents: 'safety',
  evacuation: 'safety',
  reports: 'records',
  audit: 'records',
  staff: 'staff',
  roles: 'staff',
  settings: 'staff',
  facilities: 'staff',
  security: 'staff',
  installation: 'staff',
} as const satisfies Record<SubjectOf<Permission>, string>;
type Subject = keyof typeof GROUP_OF;
export type PermissionGroup = (typeof GROUP_OF)[Subject];

/** The permissions in groups, both in the order of the catalogue. */
export const PERMISSION_GROUPS: readonly (readonly [PermissionGroup, readonly Permission[]])[] = [
  ...Map.groupBy(PERMISSIONS, (permission) => GROUP_OF[permission.split('.')[0] as Subject]),
];
