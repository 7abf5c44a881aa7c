/** Rows as the wire shows them, field by field (contract §4, objects). */
import { photoPath } from '@haris/contract/http/photos';
import {
  type Admin,
  type Child,
  childPendingSchema,
  type Parent,
  type Proposal,
  parentPendingSchema,
} from '@haris/contract/objects';
import type { AccountKind } from '@haris/contract/roles';
import { toMoment } from '../clock.ts';
import type { ChildView } from '../db/children.ts';
import type { ParentView } from '../db/parents.ts';
import { type ProposalView, revisionOf } from '../db/proposals.ts';
import type { AdminRow } from '../db/schema.ts';
import type { LastSeen } from '../db/sightings.ts';
import type { Vault } from '../vault/vault.ts';

/** A child in a list: also where it was seen last, null for nowhere. */
export function presentListedChild(child: ChildView, viewer: AccountKind, lastSeen: LastSeen | null): Child {
  return {
    ...presentChild(child, viewer),
    lastSeen: lastSeen && { ...lastSeen, at: toMoment(lastSeen.at) },
  };
}

/**
 * A child as this kind of account sees it (contract §6): the parent what was sent, staff what was confirmed, with what
 * waits beside it.
 */
export function presentChild(child: ChildView, viewer: AccountKind): Child {
  const isInside = child.unique_entry_id !== null;
  const given = givenIn(viewer === 'parent' ? child.proposals : []);
  const photoId = given.photo_id ?? child.photo_id;
  return {
    _id: child.id,
    name: given.name ?? child.name,
    photo: photoId && photoPath(photoId),
    status: isInside ? 'Inside' : 'Outside',
    isInside,
    entryTime: child.entry_time === null ? null : toMoment(child.entry_time),
    duration: child.duration,
    uniqueEntryId: child.unique_entry_id,
    parent: { _id: child.parent_id, name: child.parent_name },
    pending: childPendingSchema.options.filter((field) => child.proposals.some((one) => one.field === field)),
    ...presentProposal(child.proposals, viewer),
  };
}

export function presentParent({ parent, proposals, children }: ParentView, viewer: AccountKind): Parent {
  const given = givenIn(viewer === 'parent' ? proposals : []);
  const photoId = given.photo_id ?? parent.photo_id;
  return {
    _id: parent.id,
    name: given.name ?? parent.name,
    email: parent.email,
    phone: given.phone ?? parent.phone,
    photo: photoId && photoPath(photoId),
    emailVerified: parent.email_verified === 1,
    ...(parent.disowned_at === null ? {} : { disownedAt: toMoment(parent.disowned_at) }),
    language: parent.language_chosen === 1 ? parent.language : null,
    pending: parentPendingSchema.options.filter((field) => proposals.some((one) => one.field === field)),
    ...presentProposal(proposals, viewer),
    children: children.map((child) => presentChild(child, viewer)),
  };
}

/** The fields that wait, as the parent gave them. */
function givenIn(proposals: readonly ProposalView[]) {
  const of = (field: ProposalView['field']) => proposals.find((one) => one.field === field);
  return { name: of('name')?.value, phone: of('phone')?.value, photo_id: of('photo')?.photo_id };
}

/** What staff are to look at; nothing for a parent, and where nothing waits. */
function presentProposal(proposals: readonly ProposalView[], viewer: AccountKind): { proposal?: Proposal } {
  const revision = revisionOf(proposals);
  if (revision === null || viewer === 'parent') return {};
  const { name, phone, photo_id: photo } = givenIn(proposals);
  const more = proposals.flatMap((one) => (one.field === 'photos' && one.photo_id ? [one.photo_id] : []));
  return {
    proposal: {
      revision,
      at: toMoment(Math.max(...proposals.map((one) => one.created_at))),
      ...(name ? { name } : {}),
      ...(phone ? { phone } : {}),
      ...(photo ? { photo: photoPath(photo) } : {}),
      ...(more.length > 0 ? { photos: more.map(photoPath) } : {}),
    },
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
