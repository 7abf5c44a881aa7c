/** The people of a roll call: children from the stays, staff from the sessions, visitors from their list. */
import { STAFF_ON_DUTY_MS } from '@haris/contract/constants';
import type { RollCall, RollCallChild, RollCallPerson } from '@haris/contract/http/incidents';
import { photoPath } from '@haris/contract/http/photos';
import type { Actor } from '../../actor.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findCalledChildren } from '../../db/called-children.ts';
import { findStaffSeenSince } from '../../db/evacuation-staff.ts';
import type { EvacuationTickRow } from '../../db/schema.ts';
import { findLastSeen } from '../../db/sightings.ts';
import { findVisitorsPresent } from '../../db/visitors.ts';
import { may } from '../../policy.ts';

type Reader = Context['db'];
/** Milliseconds since 1970; `to` null: now. */
export interface Period {
  readonly from: number;
  readonly to: number | null;
}
type Staff = { readonly id: string; readonly name: string };
type Ticks = ReadonlyMap<string, EvacuationTickRow>;

const NO_TICKS: Ticks = new Map();

/** Staff on duty at a moment: those with a recently used session. */
export async function findStaffOnDuty(db: Reader, now: number): Promise<Staff[]> {
  return findStaffSeenSince(db, { since: now - STAFF_ON_DUTY_MS, now });
}

/** The children of the period as the actor sees them, each with the newest tick. */
export async function findRolledChildren(
  db: Reader,
  actor: Actor,
  period: Period,
  ticks: Ticks,
): Promise<RollCallChild[]> {
  // Who runs an evacuation must be able to call the families.
  const seesGuardians = may(actor, 'families.view') || may(actor, 'evacuation.run');
  const rows = await findCalledChildren(db, period);
  const lastSeen = await findLastSeen(
    db,
    rows.map(({ child_id }) => child_id),
  );
  return rows.map((row) => {
    const tick = ticks.get(row.child_id);
    const seen = lastSeen.get(row.child_id);
    return {
      childId: row.child_id,
      name: row.name,
      photo: row.photo_id && photoPath(row.photo_id),
      ...(row.photo_confirmed_at === null || row.name_confirmed_at === null ? { unconfirmed: true } : {}),
      guardian: seesGuardians ? { _id: row.parent_id, name: row.parent_name, phone: row.phone } : null,
      isInside: row.exit_time === null,
      lastSeen: seen ? { area: seen.area, at: toMoment(seen.at) } : null,
      room:
        row.room_name === null
          ? null
          : { name: row.room_name, since: row.room_since === null ? null : toMoment(row.room_since) },
      tick: tick ? presentTick(tick) : null,
      ...(row.unsettled
        ? { unsettled: { kind: row.unsettled.kind, at: toMoment(row.unsettled.happened_at) } }
        : {}),
    };
  });
}

/** The adults of the period as the actor sees them: the given staff, and who was signed in by name; each with the newest tick. */
export async function findRolledPeople(
  db: Reader,
  actor: Actor,
  staff: readonly Staff[],
  period: Period,
  ticks: Ticks,
): Promise<RollCallPerson[]> {
  const seesVisitors = may(actor, 'visitors.view') || may(actor, 'evacuation.run');
  const tickOf = (id: string) => {
    const tick = ticks.get(id);
    return tick ? presentTick(tick) : null;
  };
  const accounts = staff.map(
    ({ id, name }): RollCallPerson => ({
      personId: id,
      kind: 'staff',
      name,
      phone: null,
      reason: null,
      isInside: true,
      tick: tickOf(id),
    }),
  );
  const signedIn = (await findVisitorsPresent(db, period)).map(
    (row): RollCallPerson => ({
      personId: row.id,
      kind: row.kind,
      name: row.name,
      phone: seesVisitors ? row.phone : null,
      reason: seesVisitors ? row.reason : null,
      isInside: row.signed_out_at === null,
      tick: tickOf(row.id),
    }),
  );
  return [...accounts, ...signedIn];
}

/** Everybody in the building now. */
export async function presentRollCall(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
): Promise<RollCall> {
  const now = clock.now();
  const period = { from: now, to: null };
  // Somebody who leaves in this millisecond has left.
  const children = (await findRolledChildren(db, actor, period, NO_TICKS)).filter(({ isInside }) => isInside);
  const people = await findRolledPeople(db, actor, await findStaffOnDuty(db, now), period, NO_TICKS);
  return { at: toMoment(now), children, people: people.filter(({ isInside }) => isInside) };
}

export function presentTick(tick: EvacuationTickRow) {
  return {
    state: tick.state,
    at: toMoment(tick.at),
    by: { _id: tick.by_id, name: tick.by_name },
    device: tick.device,
  };
}
