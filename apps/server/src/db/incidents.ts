/** Incidents with their timelines. */
import type { Kysely, Transaction } from 'kysely';
import type { Database, IncidentRow, IncidentTimelineRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

export async function findIncident(db: Reader, id: string): Promise<IncidentRow | undefined> {
  return db.selectFrom('incidents').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Open incidents, oldest first; optionally only these kinds. */
export async function findOpenIncidents(
  db: Reader,
  kinds?: readonly IncidentRow['kind'][],
): Promise<IncidentRow[]> {
  let open = db.selectFrom('incidents').selectAll().where('cleared_at', 'is', null);
  if (kinds) open = open.where('kind', 'in', kinds);
  return open.orderBy('raised_at').orderBy('id').execute();
}

/** The open incident of a condition. */
export async function findOpenIncidentFor(db: Reader, condition: string): Promise<IncidentRow | undefined> {
  return db
    .selectFrom('incidents')
    .selectAll()
    .where('condition', '=', condition)
    .where('cleared_at', 'is', null)
    .executeTakeFirst();
}

/** Whether an incident of a condition has ended since a moment (milliseconds since 1970). */
export async function hasEndedSince(db: Reader, condition: string, since: number): Promise<boolean> {
  const row = await db
    .selectFrom('incidents')
    .select('id')
    .where('condition', '=', condition)
    .where('cleared_at', '>=', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export type NewIncident = Pick<
  IncidentRow,
  | 'id'
  | 'kind'
  | 'condition'
  | 'area'
  | 'subject_kind'
  | 'subject_id'
  | 'parent_id'
  | 'worst'
  | 'threshold'
  | 'raised_at'
> &
  Partial<Pick<IncidentRow, 'last_area' | 'last_seen_at'>> & { readonly for_staff?: 0 | 1 };

/** Opens an incident; undefined if its condition has an open one already. */
export async function addIncident(
  trx: Transaction<Database>,
  incident: NewIncident,
): Promise<IncidentRow | undefined> {
  return trx
    .insertInto('incidents')
    .values({
      ...incident,
      calm_since: null,
      cleared_at: null,
      acknowledged_at: null,
      acknowledged_by: null,
      acknowledged_name: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['facility_id', 'condition']).where('cleared_at', 'is', null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Closes an open incident; undefined if it is not open. */
export async function closeIncident(
  trx: Transaction<Database>,
  id: string,
  at: number,
): Promise<IncidentRow | undefined> {
  return changeOpenIncident(trx, id, { cleared_at: at, calm_since: null });
}

/** Stores a new worst value of an open incident; undefined if it is not open. */
export async function setWorst(
  trx: Transaction<Database>,
  id: string,
  worst: number,
): Promise<IncidentRow | undefined> {
  return changeOpenIncident(trx, id, { worst, calm_since: null });
}

async function changeOpenIncident(
  trx: Transaction<Database>,
  id: string,
  change: Partial<Pick<IncidentRow, 'worst' | 'calm_since' | 'cleared_at'>>,
): Promise<IncidentRow | undefined> {
  return trx
    .updateTable('incidents')
    .set(change)
    .where('id', '=', id)
    .where('cleared_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Stores the start of the calm time of an incident, in milliseconds since 1970; null: the incident is not calm. */
export async function setCalmSince(
  trx: Transaction<Database>,
  id: string,
  since: number | null,
): Promise<void> {
  await trx.updateTable('incidents').set({ calm_since: since }).where('id', '=', id).execute();
}

/** Stores who acknowledged an incident. Throws if there is no such incident. */
export async function setAcknowledged(
  trx: Transaction<Database>,
  id: string,
  by: { readonly id: string; readonly name: string },
  at: number,
): Promise<IncidentRow> {
  return trx
    .updateTable('incidents')
    .set({ acknowledged_at: at, acknowledged_by: by.id, acknowledged_name: by.name })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Locks an incident until the transaction ends, on both databases, and returns its current values. */
export async function lockIncident(trx: Transaction<Database>, id: string): Promise<IncidentRow | undefined> {
  return trx
    .updateTable('incidents')
    .set((eb) => ({ raised_at: eb.ref('raised_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Adds to a timeline; the incident must be locked. */
export async function addToTimeline(
  trx: Transaction<Database>,
  incidentId: string,
  entry: Pick<IncidentTimelineRow, 'at' | 'what'> &
    Partial<Pick<IncidentTimelineRow, 'by_id' | 'by_name' | 'step' | 'value' | 'note'>>,
): Promise<void> {
  const { count } = await trx
    .selectFrom('incident_timeline')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('incident_id', '=', incidentId)
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('incident_timeline')
    .values({
      incident_id: incidentId,
      position: Number(count),
      by_id: null,
      by_name: null,
      step: null,
      value: null,
      note: null,
      ...entry,
    })
    .execute();
}

/** Timelines by incident, each oldest first. */
export async function findTimelines(
  db: Reader,
  incidentIds: readonly string[],
): Promise<Map<string, IncidentTimelineRow[]>> {
  if (incidentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('incident_timeline')
    .selectAll()
    .where('incident_id', 'in', incidentIds)
    .orderBy('incident_id')
    .orderBy('position')
    .execute();
  return Map.groupBy(rows, (row) => row.incident_id);
}

/** The actor of the first timeline entry, who opened the incident. Null for the system. */
export async function findOpener(
  db: Reader,
  incidentId: string,
): Promise<{ readonly id: string; readonly name: string } | null> {
  const first = await db
    .selectFrom('incident_timeline')
    .select(['by_id', 'by_name'])
    .where('incident_id', '=', incidentId)
    .where('position', '=', 0)
    .executeTakeFirst();
  return first?.by_id ? { id: first.by_id, name: first.by_name ?? '' } : null;
}

/** Ends the taking of subjects: the next subject of this kind opens an incident of its own. */
export async function closeForJoining(trx: Transaction<Database>, { kind, id }: IncidentRow): Promise<void> {
  await trx
    .updateTable('incidents')
    .set({ condition: `${kind} ${id}` })
    .where('id', '=', id)
    .execute();
}

/** Stores the area that all subjects of an incident share; null if they are in several. */
export async function setArea(trx: Transaction<Database>, id: string, area: string | null): Promise<void> {
  await trx.updateTable('incidents').set({ area }).where('id', '=', id).execute();
}

/** Deletes incidents that ended before a moment (milliseconds since 1970), with all their rows in other tables. */
export async function deleteIncidentsBefore(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('incidents').where('cleared_at', '<', before).execute();
}

/** When incidents of some conditions were last acknowledged, in milliseconds since 1970; conditions without are left out. */
export async function findLastAcknowledgements(
  db: Reader,
  conditions: readonly string[],
): Promise<Map<string, number>> {
  if (conditions.length === 0) return new Map();
  const rows = await db
    .selectFrom('incidents')
    .select((eb) => ['condition', eb.fn.max('acknowledged_at').as('at')])
    .where('condition', 'in', conditions)
    .where('acknowledged_at', 'is not', null)
    .groupBy('condition')
    .execute();
  return new Map(rows.map(({ condition, at }) => [condition, Number(at)]));
}
