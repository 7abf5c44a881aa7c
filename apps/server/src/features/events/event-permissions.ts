/** The permission that staff need to receive each kind of event. */
import type { Permission } from '@haris/contract/permissions';

/** By the part of an event's type before the dot; null: for all staff. */
const BY_SUBJECT: Readonly<Record<string, Permission | null>> = {
  child: 'families.view',
  booking: 'families.view',
  care_log: 'care_log.view',
  guardian: 'families.view',
  parent: 'families.view',
  proposal: 'families.view',
  admin: null,
  approval: null,
  settings: null,
  sensor: 'sensors.view',
  camera: 'cameras.view',
  alert: 'incidents.view',
  evacuation: 'incidents.view',
  visitor: 'visitors.view',
  room: 'rooms.view',
  head_count: 'children.move',
  kiosk: 'children.check_in',
  desk: 'children.check_in',
};

/** Events of a subject above that tell more than the others of it. */
const BY_TYPE: Readonly<Record<string, Permission>> = {
  'child.care_card_updated': 'care.view',
  'child.seen': 'sightings.view',
  'child.not_seen': 'sightings.view',
  'child.seen_outside': 'sightings.view',
};

/** Whether staff with these permissions receive events of a type. One of an unknown subject is for nobody. */
export function mayReceive(permissions: ReadonlySet<Permission> | undefined, type: string): boolean {
  if (!permissions) return false;
  const subject = type.split('.')[0] ?? '';
  const needed = BY_TYPE[type] ?? BY_SUBJECT[subject];
  return needed === null || (needed !== undefined && permissions.has(needed));
}
