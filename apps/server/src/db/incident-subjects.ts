/** The subjects that each incident covers, with the times at which they joined and left it. */
import type { Kysely, Transaction } from 'kysely';
import type { Database, IncidentRow, IncidentSubjectRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

export type NewSubject = Pick<IncidentSubjectRow, 'condition' | 'subject_kind' | 'subject_id' | 'area'>;

/** Adds subjects to an incident; one that was in it before is in it again, from now on and where it is now. */
export async function addSubjects(
  trx: Transaction<Database>,
  incidentId: string,
  subjects: readonly NewSubject[],
  at: number,
): Promise<void> {
  for (const subject of subjects)
    await trx
      .insertInto('incident_subjects')
      .values({ ...subject, incident_id: incidentId, joined_at: at, left_at: null, calm_since: null })
      .onConflict((conflict) =>
        conflict
          .columns(['incident_id', 'condition'])
          .doUpdateSet({ area: subject.area, joined_at: at, left_at: null, calm_since: null }),
      )
      .execute();
}

/** Subjects whose condition holds, of open incidents of these kinds, unordered. */
export async function findOpenSubjects(
  db: Reader,
  kinds: readonly IncidentRow['kind'][],
): Promise<IncidentSubjectRow[]> {
  return db
    .selectFrom('incident_subjects')
    .innerJoin('incidents', 'incidents.id', 'incident_subjects.incident_id')
    .selectAll('incident_subjects')
    .where('incident_subjects.left_at', 'is', null)
    .where('incidents.cleared_at', 'is', null)
    .where('incidents.kind', 'in', kinds)
    .execute();
}

/** Stores since when these conditions of an incident are absent; null: they hold. */
export async function setSubjectsCalm(
  trx: Transaction<Database>,
  incidentId: string,
  conditions: readonly string[],
  since: number | null,
): Promise<void> {
  await trx
    .updateTable('incident_subjects')
    .set({ calm_since: since })
    .where('incident_id', '=', incidentId)
    .where('condition', 'in', conditions)
    .execute();
}

/** Ends these conditions of an incident, and returns how many still hold. */
export async function endSubjects(
  trx: Transaction<Database>,
  incidentId: string,
  conditions: readonly string[],
  at: number,
): Promise<number> {
  await trx
    .updateTable('incident_subjects')
    .set({ left_at: at, calm_since: null })
    .where('incident_id', '=', incidentId)
    .where('condition', 'in', conditions)
    .where('left_at', 'is', null)
    .execute();
  const { count } = await trx
    .selectFrom('incident_subjects')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('incident_id', '=', incidentId)
    .where('left_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The subjects of incidents, by incident, in the order of joining. */
export async function findSubjects(
  db: Reader,
  incidentIds: readonly string[],
): Promise<Map<string, IncidentSubjectRow[]>> {
  if (incidentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('incident_subjects')
    .selectAll()
    .where('incident_id', 'in', incidentIds)
    .orderBy('joined_at')
    .orderBy('condition')
    .execute();
  return Map.groupBy(rows, (row) => row.incident_id);
}

/** The subjects of an incident whose condition holds, unordered. */
export async function findPresentSubjects(db: Reader, incidentId: string): Promise<IncidentSubjectRow[]> {
  return db
    .selectFrom('incident_subjects')
    .selectAll()
    .where('incident_id', '=', incidentId)
    .where('left_at', 'is', null)
    .execute();
}

/** Takes these conditions out of an incident, as if they had never been in it. */
export async function deleteSubjects(
  trx: Transaction<Database>,
  incidentId: string,
  conditions: readonly string[],
): Promise<void> {
  if (conditions.length === 0) return;
  await trx
    .deleteFrom('incident_subjects')
    .where('incident_id', '=', incidentId)
    .where('condition', 'in', conditions)
    .execute();
}
