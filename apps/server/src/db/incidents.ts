/** Reads incidents with their timelines and the people they concern; writes what several of the services write. */

import { STAFF_SESSION_IDLE_MS } from '@haris/contract/constants';
import type { AccountKind } from '@haris/contract/roles';
import type { Kysely, Transaction } from 'kysely';
import { AppError } from '../app-error.ts';
import { fromCursor, toCursor } from './paging.ts';
import type { Database, IncidentRow, IncidentTimelineRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

export async function findIncident(db: Reader, id: string): Promise<IncidentRow | undefined> {
  return db.selectFrom('incidents').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Incidents that go on, oldest first; of these kinds, where they are named. */
export async function findOpenIncidents(
  db: Reader,
  kinds?: readonly IncidentRow['kind'][],
): Promise<IncidentRow[]> {
  let open = db.selectFrom('incidents').selectAll().where('cleared_at', 'is', null);
  if (kinds) open = open.where('kind', 'in', kinds);
  return open.orderBy('raised_at').orderBy('id').execute();
}

export async function findOpenEpisode(db: Reader, episode: string): Promise<IncidentRow | undefined> {
  return db
    .selectFrom('incidents')
    .selectAll()
    .where('episode', '=', episode)
    .where('cleared_at', 'is', null)
    .executeTakeFirst();
}

/** Takes an incident for this transaction alone, on both databases, and answers the row as it is then. */
export async function takeIncident(trx: Transaction<Database>, id: string): Promise<IncidentRow | undefined> {
  return trx
    .updateTable('incidents')
    .set((eb) => ({ raised_at: eb.ref('raised_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Adds to a timeline; the incident must have been taken. */
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

/** Names of what incidents are about, by id; what is gone is not in the map. */
export async function findSubjectNames(
  db: Reader,
  subjects: readonly Pick<IncidentRow, 'subject_kind' | 'subject_id'>[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const [kind, table] of [
    ['child', 'children'],
    ['camera', 'cameras'],
    ['sensor', 'sensors'],
  ] as const) {
    const ids = subjects.flatMap((one) =>
      one.subject_kind === kind && one.subject_id !== null ? [one.subject_id] : [],
    );
    if (ids.length === 0) continue;
    const rows = await db.selectFrom(table).select(['id', 'name']).where('id', 'in', ids).execute();
    for (const row of rows) names.set(row.id, row.name);
  }
  return names;
}

export interface IncidentsFilter {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly onlyOpen: boolean;
  /** Only those of this parent's children, and open ones of `kindsInside`. */
  readonly parent?: { readonly id: string; readonly kindsInside: readonly IncidentRow['kind'][] };
}

/** A page of incidents, newest first. */
export async function findIncidentsPage(
  db: Reader,
  filter: IncidentsFilter,
): Promise<{ rows: IncidentRow[]; total: number; nextCursor: string | null }> {
  let matching = db.selectFrom('incidents');
  if (filter.onlyOpen) matching = matching.where('cleared_at', 'is', null);
  const { parent } = filter;
  if (parent)
    matching = matching.where((eb) =>
      eb.or([
        eb('parent_id', '=', parent.id),
        ...(parent.kindsInside.length > 0
          ? [eb.and([eb('cleared_at', 'is', null), eb('kind', 'in', parent.kindsInside)])]
          : []),
      ]),
    );
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  let page = matching.selectAll();
  if (filter.cursor !== undefined) {
    const [at, id] = positionOf(filter.cursor);
    page = page.where((eb) =>
      eb.or([eb('raised_at', '<', at), eb.and([eb('raised_at', '=', at), eb('id', '<', id)])]),
    );
  }
  const rows = await page
    .orderBy('raised_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit + 1)
    .execute();
  const shown = rows.slice(0, filter.limit);
  const last = rows.length > filter.limit ? shown.at(-1) : undefined;
  return {
    rows: shown,
    total: Number(total),
    nextCursor: last ? toCursor([String(last.raised_at), last.id]) : null,
  };
}

function positionOf(cursor: string): [number, string] {
  const [at, id] = fromCursor(cursor);
  if (/^[0-9]{1,15}$/.test(at)) return [Number(at), id];
  const message = 'cursor is not one that was given';
  throw new AppError('invalid_request', { message, fields: { cursor: message } });
}

export interface Person {
  readonly kind: AccountKind;
  readonly id: string;
}

/** Staff whose e-mail is verified; `administrators` those who set Haris up: they have no national ID. */
export async function findStaffIds(db: Reader, { administrators = false } = {}): Promise<string[]> {
  let staff = db.selectFrom('admins').select('id').where('email_verified', '=', 1);
  if (administrators) staff = staff.where('national_id_mac', 'is', null);
  return (await staff.orderBy('id').execute()).map(({ id }) => id);
}

/** Staff who have a session that is alive. */
export async function findSignedInStaffIds(db: Reader, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('admins', 'admins.id', 'sessions.account_id')
    .select('admins.id')
    .distinct()
    .where('sessions.kind', '=', 'admin')
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_seen_at', '>', now - STAFF_SESSION_IDLE_MS)
    .orderBy('admins.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Parents who have a child inside now. */
export async function findParentIdsInside(db: Reader): Promise<string[]> {
  const rows = await db
    .selectFrom('stays')
    .innerJoin('children', 'children.id', 'stays.child_id')
    .select('children.parent_id')
    .distinct()
    .where('stays.exit_time', 'is', null)
    .orderBy('children.parent_id')
    .execute();
  return rows.map(({ parent_id }) => parent_id);
}

/** Removes incidents that were over before a moment (milliseconds), with all that belongs to them. */
export async function deleteIncidentsBefore(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('incidents').where('cleared_at', '<', before).execute();
}
