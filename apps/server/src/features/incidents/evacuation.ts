/**
 * Evacuations: incidents with a roll call of everybody in the building. Every tick of every device is stored; a
 * person's newest tick counts.
 */
import type { Evacuation } from '@haris/contract/http/incidents';
import type { Actor, DeskDevice } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findCalledChildren } from '../../db/called-children.ts';
import { addEvacuationStaff, findEvacuationStaff } from '../../db/evacuation-staff.ts';
import { addTick, findTicks } from '../../db/evacuation-ticks.ts';
import { findOpener, findOpenIncidentFor, lockIncident } from '../../db/incidents.ts';
import type { IncidentRow } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { findVisitorsPresent } from '../../db/visitors.ts';
import { clearIn, raiseIn } from './lifecycle.ts';
import { findRolledChildren, findRolledPeople, findStaffOnDuty, presentTick } from './roll-call.ts';

const CONDITION = 'evacuation';

export async function findEvacuation({ db }: Pick<Context, 'db'>): Promise<IncidentRow | undefined> {
  return findOpenIncidentFor(db, CONDITION);
}

/** Starts an evacuation, or returns the open one, because two people may press the button at once. */
export async function startEvacuation(
  context: Context,
  actor: Actor | DeskDevice,
  note: string | undefined,
): Promise<IncidentRow> {
  return inTransaction(context.db, async (tx) => {
    const begun = await raiseIn(context, tx, { kind: 'evacuation', condition: CONDITION }, { actor, note });
    if (begun) {
      const staff = await findStaffOnDuty(tx.trx, context.clock.now());
      const ids = staff.map(({ id }) => id);
      await addEvacuationStaff(tx.trx, begun.id, ids);
    }
    const row = begun ?? (await findOpenIncidentFor(tx.trx, CONDITION));
    // Somebody has ended the open evacuation in the meantime.
    if (!row) throw new AppError('unavailable');
    return row;
  });
}

/** Ends an evacuation; does nothing if it has ended. Throws 404. */
export async function endEvacuation(
  context: Context,
  actor: Actor,
  id: string,
  note: string | undefined,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const row = await lockIncident(tx.trx, id);
    if (row?.kind !== 'evacuation') throw new AppError('not_found');
    await clearIn(context, tx, id, { actor, note });
  });
}

export interface Tick {
  readonly childId?: string | undefined;
  readonly personId?: string | undefined;
  readonly state: 'present' | 'missing' | 'away';
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Stores the ticks of a device, each once; the staff member who ticked joins the roll call. Throws 404. */
export async function keepTicks(
  context: Context,
  actor: Actor,
  id: string,
  { device, ticks }: { readonly device: string; readonly ticks: readonly Tick[] },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const row = await lockIncident(tx.trx, id);
    if (row?.kind !== 'evacuation') throw new AppError('not_found');
    const now = context.clock.now();
    const called = await findCalledIds(tx.trx, row);
    let kept = 0;
    for (const { childId, personId, state, at } of ticks) {
      const subject_kind = childId === undefined ? 'person' : 'child';
      const subject_id = childId ?? personId;
      if (subject_id === undefined || !called[subject_kind].has(subject_id)) continue;
      const isNew = await addTick(tx.trx, {
        incident_id: id,
        subject_kind,
        subject_id,
        // Limited to now, so that a device whose clock is ahead does not override later ticks of others.
        at: Math.min(now, Math.max(row.raised_at, at)),
        by_id: actor.id,
        by_name: actor.name,
        device,
        state,
        received_at: now,
      });
      if (isNew) kept++;
    }
    if (kept === 0) return;
    await addEvacuationStaff(tx.trx, id, [actor.id]);
    await context.audit.append(tx, {
      actor,
      action: 'evacuation.ticked',
      subject: { kind: 'incident', id },
      details: { ticks: kept, device },
    });
    await context.events.append(tx, { type: 'evacuation.ticked', incidentId: id });
  });
}

/** Ids of everybody on the roll call: inside when it began, or come in before it ended. */
async function findCalledIds(db: Context['db'], { id, raised_at, cleared_at }: IncidentRow) {
  const period = { from: raised_at, to: cleared_at };
  const children = await findCalledChildren(db, period);
  const people = [...(await findEvacuationStaff(db, id)), ...(await findVisitorsPresent(db, period))];
  return {
    child: new Set(children.map(({ child_id }) => child_id)),
    person: new Set(people.map((person) => person.id)),
  };
}

export async function presentEvacuation(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  incident: IncidentRow,
): Promise<Evacuation> {
  const period = { from: incident.raised_at, to: incident.cleared_at };
  const ticks = await findTicks(db, incident.id);
  const newest = new Map(ticks.map((tick) => [tick.subject_id, tick]));
  const opener = await findOpener(db, incident.id);
  return {
    _id: incident.id,
    startedAt: toMoment(incident.raised_at),
    startedBy: opener && { _id: opener.id, name: opener.name },
    endedAt: incident.cleared_at === null ? null : toMoment(incident.cleared_at),
    children: await findRolledChildren(db, actor, period, newest),
    people: await findRolledPeople(db, actor, await findEvacuationStaff(db, incident.id), period, newest),
    ticks: ticks.map((tick) => ({
      ...(tick.subject_kind === 'child' ? { childId: tick.subject_id } : { personId: tick.subject_id }),
      ...presentTick(tick),
    })),
  };
}
