/** Maps rows to objects of the contract, field by field (contract §4). */
import { photoPath } from '@haris/contract/http/photos';
import { staffPhotoPath } from '@haris/contract/http/staff-profile';
import {
  type Admin,
  type Child,
  childPendingSchema,
  type DetailChange,
  type Parent,
  type Proposal,
  parentPendingSchema,
} from '@haris/contract/objects';
import { toMoment } from '../clock.ts';
import type { ChildView } from '../db/children.ts';
import type { ChangeSinceStay } from '../db/detail-changes.ts';
import type { ParentView } from '../db/parents.ts';
import type { PastStay } from '../db/past-stays.ts';
import { type ProposalView, revisionOf } from '../db/proposals.ts';
import type { StaffRow } from '../db/schema.ts';
import type { LastSeen } from '../db/sightings.ts';
import { guardianshipOf, may, type Permitted } from '../policy.ts';
import type { Vault } from '../vault/vault.ts';

/** A parent who is just signing in, as a reader. */
export function asParent(id: string): Permitted {
  return { kind: 'parent', id, permissions: new Set() };
}

/** A child in a list, with its last sighting; null if there is none. */
export function presentListedChild(child: ChildView, viewer: Permitted, lastSeen: LastSeen | null): Child {
  return {
    ...presentChild(child, viewer),
    lastSeen: lastSeen && { ...lastSeen, at: toMoment(lastSeen.at) },
  };
}

/**
 * A child as this account sees it (contract §6): parents see the values that they sent, staff see the confirmed ones and the
 * proposal beside them. A guardian reads nothing of another one: neither who it is, nor what it proposed or announced. The code of the slip is for who checks children out, and for nobody while an adult is barred from
 * taking the child ({@link presentCheckedIn}); the parent's name and phone are for who sees families.
 */
export function presentChild(child: ChildView, viewer: Permitted): Child {
  const isInside = child.unique_entry_id !== null;
  const proposals = child.proposals.filter((one) => viewer.kind === 'admin' || one.by_id === viewer.id);
  const given = givenIn(viewer.kind === 'parent' ? proposals : []);
  const photoId = given.photo_id ?? child.photo_id;
  const unconfirmed = findUnconfirmed(child);
  return {
    _id: child.id,
    name: given.name ?? child.name,
    photo: photoId && photoPath(photoId),
    status: isInside ? 'Inside' : 'Outside',
    isInside,
    entryTime: child.entry_time === null ? null : toMoment(child.entry_time),
    duration: child.duration,
    uniqueEntryId: child.unique_entry_id,
    ...presentRoom(child, viewer),
    birthDate: given.birthDate ?? child.birth_date,
    ...(viewer.kind === 'parent' ? presentTaking(child, viewer) : presentForDesk(child, viewer)),
    parent: presentGuardian(child, viewer),
    pending: findPending(child, proposals),
    ...(unconfirmed.length === 0 ? {} : { unconfirmed }),
    ...presentProposal(proposals, viewer),
    ...presentPickup(child, viewer),
  };
}

/** A child that was presented before, without what this account may not see any more. */
export function hideFrom(child: Child, viewer: Permitted): Child {
  const { _id } = child.parent;
  const shown = may(viewer, 'families.view', _id) ? child : withoutNames(child);
  if (may(viewer, 'children.check_in')) return shown;
  const { slipCode: _, ...others } = shown;
  return others;
}

function withoutNames(child: Child): Child {
  const { onMyWay, ...others } = child;
  const nameless = { ...others, parent: { _id: child.parent._id, name: '' } };
  if (onMyWay === undefined) return nameless;
  const { by: _, ...way } = onMyWay;
  return { ...nameless, onMyWay: way };
}

/**
 * The answer to a check-in, from which the slip is printed. With a bar it is the only place where the code of the slip is
 * read: a code that stays on the screens of the desk would be a proof that one member of staff can make alone.
 */
export function presentCheckedIn(child: ChildView, viewer: Permitted): Child {
  return { ...presentChild(child, viewer), ...presentSlipCode(child, viewer) };
}

/** The parent of a child: whom staff call about it; to a guardian, the guardian. */
function presentGuardian(child: ChildView, viewer: Permitted): Child['parent'] {
  const { parent_id: _id, parent_name: name, parent_phone: phone } = child;
  if (viewer.kind === 'parent')
    return { _id: viewer.id, name: guardianshipOf(viewer, child.guardians)?.name ?? '' };
  return may(viewer, 'families.view') ? { _id, name, phone } : { _id, name: '' };
}

/** To a guardian who may not take the child home, that it may not; empty otherwise. */
function presentTaking({ guardians }: ChildView, viewer: Permitted): Pick<Child, 'mayTake'> {
  return guardianshipOf(viewer, guardians)?.mayTake === false ? { mayTake: false } : {};
}

/** What staff never confirmed of the child's row. */
function findUnconfirmed(child: ChildView): ('photo' | 'name')[] {
  return [
    ...(child.photo_confirmed_at === null ? (['photo'] as const) : []),
    ...(child.name_confirmed_at === null ? (['name'] as const) : []),
  ];
}

/** What staff have to confirm: fields with one of these proposals, and those that they never confirmed. */
function findPending(child: ChildView, proposals: readonly ProposalView[]): Child['pending'] {
  const fields = new Set<string>([...findUnconfirmed(child), ...proposals.map(({ field }) => field)]);
  return childPendingSchema.options.filter((field) => fields.has(field));
}

const parentDetails = { name: 'parentName', phone: 'parentPhone', photo: 'parentPhoto' } as const;

function presentChange({ subject_kind: kind, field, at }: ChangeSinceStay): DetailChange {
  const ofChild = field === 'photo' ? 'photo' : 'name';
  return { what: kind === 'child' ? ofChild : parentDetails[field], at: toMoment(at) };
}

/** What only staff see. */
function presentForDesk(
  child: ChildView,
  viewer: Permitted,
): Pick<Child, 'homeRoomId' | 'slipCode' | 'asksTaker' | 'changes'> {
  return {
    homeRoomId: child.home_room_id,
    ...(child.is_barred === 1 ? {} : presentSlipCode(child, viewer)),
    ...(child.asks_taker === 1 ? { asksTaker: true } : {}),
    ...(child.changes.length === 0 ? {} : { changes: child.changes.map(presentChange) }),
  };
}

/** The text of the slip's code, for who checks children out; empty for everybody else and while the child is outside. */
function presentSlipCode(child: ChildView, viewer: Permitted): Pick<Child, 'slipCode'> {
  const { unique_entry_id: entryId, slip_token: token } = child;
  if (entryId === null || token === null || !may(viewer, 'children.check_in')) return {};
  return { slipCode: `${entryId}.${token}` };
}

function presentRoom(child: ChildView, viewer: Permitted): Pick<Child, 'roomId' | 'room' | 'roomSince'> {
  if (viewer.kind === 'parent' && !isRoomChosen(child)) return { roomId: null, room: null };
  const since = child.room_since === null ? {} : { roomSince: toMoment(child.room_since) };
  return { roomId: child.room_id, room: child.room_name, ...since };
}

/**
 * Whether staff say something by the room of a child inside. In a facility that keeps no rooms every child is in the
 * default room, wherever it is; a parent is not told that. It is chosen if the room was set up, is the child's home room,
 * or is where the child was moved to.
 */
function isRoomChosen(child: ChildView): boolean {
  if (child.room_id === null) return false;
  const isSetUp = child.room_capacity !== null || child.room_ratios !== '[]';
  const isMoved =
    child.room_since !== null && child.entry_time !== null && child.room_since > child.entry_time;
  return child.room_is_default !== 1 || isSetUp || isMoved || child.home_room_id === child.room_id;
}

/** A visit that has ended; null if there is none. */
export function presentVisit(stay: PastStay | undefined): Child['lastVisit'] {
  return stay ? { entryTime: toMoment(stay.entry_time), exitTime: toMoment(stay.exit_time) } : null;
}

/**
 * The announced pick-up; empty without one, and to a guardian if another one announced it. Who sees families reads which further
 * guardian comes.
 */
function presentPickup(child: ChildView, viewer: Permitted): Pick<Child, 'onMyWay'> {
  if (viewer.kind === 'parent' && child.pickup_by !== viewer.id) return {};
  const { pickup_arrives_at: arrives, pickup_announced_at: announced, pickup_source: source } = child;
  if (arrives === null || announced === null || source === null) return {};
  const seen = child.pickup_seen_at === null ? {} : { seenAt: toMoment(child.pickup_seen_at) };
  const further = child.guardians.find(
    ({ parentId }) => parentId === child.pickup_by && parentId !== child.parent_id,
  );
  const isTold = further !== undefined && viewer.kind === 'admin' && may(viewer, 'families.view');
  const by = isTold ? { by: further.name } : {};
  return {
    onMyWay: { arrivesAt: toMoment(arrives), announcedAt: toMoment(announced), source, ...seen, ...by },
  };
}

export function presentParent({ parent, proposals, children }: ParentView, viewer: Permitted): Parent {
  const given = givenIn(viewer.kind === 'parent' ? proposals : []);
  const photoId = given.photo_id ?? parent.photo_id;
  return {
    _id: parent.id,
    name: given.name ?? parent.name,
    email: parent.email,
    phone: given.phone ?? parent.phone,
    photo: photoId && photoPath(photoId),
    emailVerified: parent.email_verified === 1,
    ...(parent.disowned_at === null ? {} : { disownedAt: toMoment(parent.disowned_at) }),
    ...(parent.blocked_at === null || viewer.kind === 'parent'
      ? {}
      : { blockedAt: toMoment(parent.blocked_at) }),
    language: parent.language_chosen === 1 ? parent.language : null,
    pending: parentPendingSchema.options.filter((field) => proposals.some((one) => one.field === field)),
    ...presentProposal(proposals, viewer),
    children: children
      .filter(({ guardians }) => may(viewer, 'families.view', guardians) || viewer.kind === 'admin')
      .map((child) => presentChild(child, viewer)),
  };
}

/** Proposed values that wait for staff. */
function givenIn(proposals: readonly ProposalView[]) {
  const of = (field: ProposalView['field']) => proposals.find((one) => one.field === field);
  return {
    name: of('name')?.value,
    phone: of('phone')?.value,
    birthDate: of('birthDate')?.value,
    photo_id: of('photo')?.photo_id,
  };
}

/** The proposal for staff to decide; empty for a parent, and if nothing waits. */
function presentProposal(proposals: readonly ProposalView[], viewer: Permitted): { proposal?: Proposal } {
  const revision = revisionOf(proposals);
  if (revision === null || viewer.kind === 'parent') return {};
  const { name, phone, birthDate, photo_id: photo } = givenIn(proposals);
  const more = proposals.flatMap((one) => (one.field === 'photos' && one.photo_id ? [one.photo_id] : []));
  return {
    proposal: {
      revision,
      at: toMoment(Math.max(...proposals.map((one) => one.created_at))),
      ...(name ? { name } : {}),
      ...(phone ? { phone } : {}),
      ...(birthDate ? { birthDate } : {}),
      ...(photo ? { photo: photoPath(photo) } : {}),
      ...(more.length > 0 ? { photos: more.map(photoPath) } : {}),
    },
  };
}

/** `whole` shows the full national ID, to its owner; otherwise all but the last 4 digits are masked. */
export function presentStaffMember(
  vault: Vault,
  member: StaffRow,
  { whole }: { whole: boolean },
): Omit<Admin, 'roles'> {
  const nationalId = member.national_id_sealed
    ? vault.open(`national id ${member.id}`, member.national_id_sealed).toString('utf8')
    : null;
  return {
    _id: member.id,
    name: member.name,
    email: member.email,
    setUpBy: member.password_set_by,
    nationalId: whole || nationalId === null ? nationalId : `**********${nationalId.slice(-4)}`,
    photo: member.photo_id && staffPhotoPath(member.photo_id),
    emailVerified: member.email_verified === 1,
    language: member.language_chosen === 1 ? member.language : null,
  };
}
