/**
 * An evacuation: an incident whose work is the roll call. Who belongs to it is read from the stays, and every tick of every
 * device is kept; the newest of a child counts.
 */
import type { Evacuation, RollCallChild } from '@haris/contract/http/incidents';
import { photoPath } from '@haris/contract/http/photos';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findOpenEpisode, takeIncident } from '../../db/incidents.ts';
import type { EvacuationTickRow, IncidentRow } from '../../db/schema.ts';
import { findLastSeen } from '../../db/sightings.ts';
import { inTransaction } from '../../db/transaction.ts';
import { clearIn, raiseIn } from './episodes.ts';

const EPISODE = 'evacuation';

export async function findEvacuation({ db }: Pick<Context, 'db'>): Promise<IncidentRow | undefined> {
  return findOpenEpisode(db, EPISODE);
}

/** Begins one, or answers the one that goes on: two people press at once. */
export async function startEvacuation(
  context: Context,
  actor: Actor,
  note: string | undefined,
): Promise<IncidentRow> {
  return inTransaction(context.db, async (tx) => {
    const begun = await raiseIn(context, tx, { kind: 'evacuation', episode: EPISODE }, { actor, note });
    const row = begun ?? (await findOpenEpisode(tx.trx, EPISODE));
    // Somebody has ended it in between.
    if (!row) throw new AppError('unavailable');
    return row;
  });
}

/** Ends it; nothing happens where it has ended. Throws 404. */
export async function endEvacuation(
  context: Context,
  actor: Actor,
  id: string,
  note: string | undefined,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const row = await takeIncident(tx.trx, id);
    if (row?.kind !== 'evacuation') throw new AppError('not_found');
    await clearIn(context, tx, id, { actor, note });
  });
}

export interface Tick {
  readonly childId: string;
  readonly state: 'present' | 'missing';
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Keeps the ticks of a device, each once. Throws 404. */
export async function keepTicks(
  context: Context,
  actor: Actor,
  id: string,
  { device, ticks }: { readonly device: string; readonly ticks: readonly Tick[] },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const row = await takeIncident(tx.trx, id);
    if (row?.kind !== 'evacuation') throw new AppError('not_found');
    const now = context.clock.now();
    const called = new Set((await findCalled(tx.trx, row)).map(({ child_id }) => child_id));
    let kept = 0;
    for (const { childId, state, at } of ticks) {
      if (!called.has(childId)) continue;
      const made = await tx.trx
        .insertInto('evacuation_ticks')
        .values({
          incident_id: id,
          child_id: childId,
          // A device's clock that is ahead must not outlast what others tick later.
          at: Math.min(now, Math.max(row.raised_at, at)),
          by_id: actor.id,
          by_name: actor.name,
          device,
          state,
          received_at: now,
        })
        .onConflict((conflict) =>
          conflict.columns(['incident_id', 'child_id', 'at', 'by_id', 'device', 'state']).doNothing(),
        )
        .returning('child_id')
        .executeTakeFirst();
      if (made) kept++;
    }
    if (kept === 0) return;
    await context.audit.append(tx, {
      actor,
      action: 'evacuation.ticked',
      subject: { kind: 'incident', id },
      details: { ticks: kept, device },
    });
    await context.events.append(tx, { type: 'evacuation.ticked', incidentId: id });
  });
}

/** The children of the roll call: inside when it began, or come in until it ended. */
async function findCalled(db: Context['db'], { raised_at, cleared_at }: IncidentRow) {
  let stays = db
    .selectFrom('stays')
    .innerJoin('children', 'children.id', 'stays.child_id')
    .innerJoin('parents', 'parents.id', 'children.parent_id')
    .select([
      'stays.child_id',
      'stays.exit_time',
      'children.name',
      'children.photo_id',
      'parents.id as parent_id',
      'parents.name as parent_name',
      'parents.phone',
    ])
    .where('stays.voided_at', 'is', null)
    .where((eb) => eb.or([eb('stays.exit_time', 'is', null), eb('stays.exit_time', '>=', raised_at)]));
  if (cleared_at !== null) stays = stays.where('stays.entry_time', '<=', cleared_at);
  const rows = await stays
    .orderBy('children.sort_name')
    .orderBy('children.id')
    .orderBy('stays.entry_time')
    .execute();
  // Of two stays of one child the later one says whether it is inside.
  return [...new Map(rows.map((row) => [row.child_id, row])).values()];
}

export async function presentEvacuation(
  { db }: Pick<Context, 'db'>,
  incident: IncidentRow,
): Promise<Evacuation> {
  const called = await findCalled(db, incident);
  const lastSeen = await findLastSeen(
    db,
    called.map(({ child_id }) => child_id),
  );
  const ticks = await db
    .selectFrom('evacuation_ticks')
    .selectAll()
    .where('incident_id', '=', incident.id)
    .orderBy('at')
    // Of two in one millisecond, that a child is missing is the one to be wrong about.
    .orderBy((eb) => eb.case().when('state', '=', 'missing').then(1).else(0).end())
    .orderBy('received_at')
    .orderBy('by_id')
    .orderBy('device')
    .execute();
  const newest = new Map(ticks.map((tick) => [tick.child_id, tick]));
  const started = await db
    .selectFrom('incident_timeline')
    .select(['by_id', 'by_name'])
    .where('incident_id', '=', incident.id)
    .where('position', '=', 0)
    .executeTakeFirst();
  return {
    _id: incident.id,
    startedAt: toMoment(incident.raised_at),
    startedBy: started?.by_id ? { _id: started.by_id, name: started.by_name ?? '' } : null,
    endedAt: incident.cleared_at === null ? null : toMoment(incident.cleared_at),
    children: called.map((row): RollCallChild => {
      const tick = newest.get(row.child_id);
      const seen = lastSeen.get(row.child_id);
      return {
        childId: row.child_id,
        name: row.name,
        photo: row.photo_id && photoPath(row.photo_id),
        guardian: { _id: row.parent_id, name: row.parent_name, phone: row.phone },
        isInside: row.exit_time === null,
        lastSeen: seen ? { area: seen.area, at: toMoment(seen.at) } : null,
        tick: tick ? presentTick(tick) : null,
      };
    }),
    ticks: ticks.map((tick) => ({ childId: tick.child_id, ...presentTick(tick) })),
  };
}

function presentTick(tick: EvacuationTickRow) {
  return {
    state: tick.state,
    at: toMoment(tick.at),
    by: { _id: tick.by_id, name: tick.by_name },
    device: tick.device,
  };
}
