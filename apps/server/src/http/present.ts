/** Rows as the wire shows them, field by field (contract §4, objects). */
import { photoPath } from '@haris/contract/http/photos';
import type { Admin, Child, Parent } from '@haris/contract/objects';
import { toMoment } from '../clock.ts';
import type { ChildView } from '../db/children.ts';
import type { ParentView } from '../db/parents.ts';
import type { AdminRow } from '../db/schema.ts';
import type { LastSeen } from '../db/sightings.ts';
import type { Vault } from '../vault/vault.ts';

/** A child in a list: also where it was seen last, null for nowhere. */
export function presentListedChild(child: ChildView, lastSeen: LastSeen | null): Child {
  return { ...presentChild(child), lastSeen: lastSeen && { ...lastSeen, at: toMoment(lastSeen.at) } };
}

export function presentChild(child: ChildView): Child {
  const isInside = child.unique_entry_id !== null;
  return {
    _id: child.id,
    name: child.name,
    photo: child.photo_id && photoPath(child.photo_id),
    status: isInside ? 'Inside' : 'Outside',
    isInside,
    entryTime: child.entry_time === null ? null : toMoment(child.entry_time),
    duration: child.duration,
    uniqueEntryId: child.unique_entry_id,
    parent: { _id: child.parent_id, name: child.parent_name },
  };
}

export function presentParent({ parent, children }: ParentView): Parent {
  return {
    _id: parent.id,
    name: parent.name,
    email: parent.email,
    phone: parent.phone,
    photo: parent.photo_id && photoPath(parent.photo_id),
    emailVerified: parent.email_verified === 1,
    ...(parent.disowned_at === null ? {} : { disownedAt: toMoment(parent.disowned_at) }),
    language: parent.language_chosen === 1 ? parent.language : null,
    children: children.map(presentChild),
  };
}

/** `whole` shows the national ID to its owner; otherwise all but the last 4 digits are stars. */
export function presentAdmin(vault: Vault, admin: AdminRow, { whole }: { whole: boolean }): Admin {
  const nationalId = admin.national_id_sealed
    ? vault.open(`national id ${admin.id}`, admin.national_id_sealed).toString('utf8')
    : null;
  return {
    _id: admin.id,
    name: admin.name,
    email: admin.email,
    setUpBy: admin.password_set_by,
    nationalId: whole || nationalId === null ? nationalId : `**********${nationalId.slice(-4)}`,
    emailVerified: admin.email_verified === 1,
    language: admin.language_chosen === 1 ? admin.language : null,
  };
}
