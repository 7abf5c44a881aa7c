/** Lists what desk tablets told later and what does not fit, side by side with what Haris has (decision 055). */
import {
  DESK_CONFLICT_REASONS,
  type DeskConflict,
  type DeskConflictReason,
} from '@haris/contract/http/desk-conflicts';
import { RELEASE_REFUSALS } from '@haris/contract/release';
import type { Actor } from '../../actor.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { type AdultOfChild, findAdultsAmong, findConflictsPage } from '../../db/desk-conflicts.ts';
import type { PagePosition } from '../../db/paging.ts';
import { findNames, type SubjectNames } from '../../db/subject-names.ts';
import { nameOfCollector } from '../../hand-over/adults.ts';
import { may } from '../../policy.ts';
import { readSides, type Sides } from './conflict-sides.ts';
import { notePlace } from './entry-details.ts';

/** A page of conflicts: the open ones, oldest first, or the settled ones, newest first. */
export async function listDeskConflicts(
  context: Context,
  actor: Actor,
  { state, ...position }: PagePosition & { readonly state: 'open' | 'settled' },
): Promise<{ conflicts: DeskConflict[]; total: number; nextCursor: string | null }> {
  const { rows, total, nextCursor } = await findConflictsPage(context.db, state, position);
  const sides = await readSides(context, context.db, rows);
  return { conflicts: await presentConflicts(context, actor, sides), total, nextCursor };
}

/** Conflicts as the actor sees them, with a fixed number of queries. */
export async function presentConflicts(
  context: Context,
  actor: Actor,
  all: readonly Sides[],
): Promise<DeskConflict[]> {
  const adultIds = all
    .flatMap((sides) => [deskAdultOf(sides), sides.release?.adult_id ?? null])
    .filter((id) => id !== null);
  const childIds = all.map(({ row }) => row.child_id);
  const adults = await findAdultsAmong(context.db, [...new Set(childIds)], [...new Set(adultIds)]);
  const staff = all.flatMap(({ row, stay }) => [
    row.staff_id,
    row.settled_by,
    stay?.checked_in_by ?? null,
    stay?.checked_out_by ?? null,
  ]);
  const names = await findNames(context.db, [
    ...all.flatMap(({ row, stay }) => [
      { kind: 'child', id: row.child_id },
      { kind: 'kiosk', id: row.desk_id },
      { kind: 'room', id: stay?.room_id ?? null },
    ]),
    ...staff.map((id) => ({ kind: 'admin', id })),
    ...adults.filter(({ sealed }) => sealed === null).map(({ id }) => ({ kind: 'parent', id })),
  ]);
  return all.map((sides) => presentConflict(actor, sides, names, adults));
}

const deskAdultOf = ({ details }: Sides) =>
  details && 'collectorId' in details ? details.collectorId : null;

function presentConflict(
  actor: Actor,
  sides: Sides,
  names: SubjectNames,
  adults: readonly AdultOfChild[],
): DeskConflict {
  const { row, key, details, stay, release, plan, revision } = sides;
  const nameOf = (kind: string, id: string) => names.of({ kind, id })?.name ?? null;
  const staffOf = (id: string) => ({ _id: id, name: nameOf('admin', id) });
  const childName = nameOf('child', row.child_id);
  const adultOf = (id: string): DeskConflict['desk']['adult'] => {
    const found = adults.find((one) => one.id === id && one.child_id === row.child_id);
    if (found?.sealed === null) return { _id: id, kind: 'guardian', name: nameOf('parent', id) };
    // A child that has left the facility is its own no more.
    const sealed = childName === null ? undefined : found?.sealed;
    const name = sealed && key ? nameOfCollector(key, { id, sealed }) : null;
    return { _id: id, kind: 'collector', name };
  };
  const adultId = deskAdultOf(sides);
  const refusal = RELEASE_REFUSALS.find((one) => one === row.reason);
  return {
    _id: row.id,
    revision,
    reason: reasonOf(row.reason),
    ...(refusal !== undefined && may(actor, 'barred.view') ? { refusal } : {}),
    child: { _id: row.child_id, name: childName },
    desk: {
      kind: row.kind,
      tablet: { _id: row.desk_id, name: nameOf('kiosk', row.desk_id) },
      at: toMoment(row.happened_at),
      claimedAt: row.claimed_at === null ? null : toMoment(row.claimed_at),
      isUnsure: row.is_unsure === 1,
      receivedAt: toMoment(row.received_at),
      by: row.staff_id === null ? null : staffOf(row.staff_id),
      adult: adultId === null ? null : adultOf(adultId),
      proof: details && 'proof' in details ? details.proof : null,
    },
    stay: stay && {
      entryTime: toMoment(stay.entry_time),
      exitTime: stay.exit_time === null ? null : toMoment(stay.exit_time),
      isVoid: stay.voided_at !== null,
      checkedInBy: staffOf(stay.checked_in_by),
      checkedOutBy: stay.checked_out_by === null ? null : staffOf(stay.checked_out_by),
      room: stay.room_id === null ? null : nameOf('room', stay.room_id),
      // A record of before an undone checkout says nothing about a stay that is open.
      adult:
        stay.exit_time === null || release === null || release.adult_id === null
          ? null
          : adultOf(release.adult_id),
      proof: stay.exit_time === null ? null : (release?.proof ?? null),
    },
    canTake: plan !== null && childName !== null,
    settled: settledOf(sides, staffOf),
  };
}

/** Why it is a conflict, without what only staff with `barred.view` may know. */
function reasonOf(reason: string | null): DeskConflictReason {
  return DESK_CONFLICT_REASONS.find((one) => one === reason) ?? 'release_refused';
}

function settledOf(
  { row, key }: Sides,
  staffOf: (id: string) => NonNullable<DeskConflict['desk']['by']>,
): DeskConflict['settled'] {
  const { settled_at, settled_by, choice, note } = row;
  if (settled_at === null || settled_by === null || choice === null) return null;
  return {
    at: toMoment(settled_at),
    by: staffOf(settled_by),
    choice,
    note: note && key ? key.open(notePlace(row.id), note).toString('utf8') : null,
  };
}
