/** Presents incidents field by field. Parents see neither names nor notes of staff. */
import type { Incident, IncidentSubject } from '@haris/contract/http/incidents';
import { severityOf } from '@haris/contract/incident-kinds';
import type { Actor } from '../../actor.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findSubjects } from '../../db/incident-subjects.ts';
import { findTimelines } from '../../db/incidents.ts';
import type { IncidentRow, IncidentSubjectRow } from '../../db/schema.ts';
import { findNames, type SubjectNames } from '../../db/subject-names.ts';

const momentOf = (at: number | null): string | null => (at === null ? null : toMoment(at));

export async function presentIncidents(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  rows: readonly IncidentRow[],
): Promise<Incident[]> {
  const ids = rows.map(({ id }) => id);
  const subjects = await findSubjects(db, ids);
  const names = await findNames(db, [...rows, ...[...subjects.values()].flat()].map(referenceOf));
  const timelines = await findTimelines(db, ids);
  const isStaff = actor.kind === 'admin';
  const person = (id: string | null, name: string | null) =>
    isStaff && id !== null ? { _id: id, name: name ?? '' } : null;
  return rows.map((row) => ({
    _id: row.id,
    kind: row.kind,
    severity: severityOf(row.kind),
    area: row.area,
    ...presentSubjects(row, subjects.get(row.id) ?? [], names),
    value: row.worst,
    limit: row.threshold,
    lastPlace:
      isStaff && row.last_area !== null ? { area: row.last_area, at: momentOf(row.last_seen_at) } : null,
    raisedAt: toMoment(row.raised_at),
    clearedAt: momentOf(row.cleared_at),
    acknowledgedAt: momentOf(row.acknowledged_at),
    acknowledgedBy: person(row.acknowledged_by, row.acknowledged_name),
    timeline: (timelines.get(row.id) ?? []).map((entry) => ({
      at: toMoment(entry.at),
      what: entry.what,
      by: person(entry.by_id, entry.by_name),
      step: entry.step,
      value: entry.value,
      note: isStaff ? entry.note : null,
    })),
  }));
}

const referenceOf = (row: Pick<IncidentRow, 'subject_kind' | 'subject_id'>) => ({
  kind: row.subject_kind,
  id: row.subject_id,
});

/** The subjects of an incident, and the one for clients that show only one. */
function presentSubjects(
  row: IncidentRow,
  rows: readonly IncidentSubjectRow[],
  names: SubjectNames,
): Pick<Incident, 'subject' | 'subjects'> {
  const subjects: IncidentSubject[] = rows.map((one) => ({
    kind: one.subject_kind,
    _id: one.subject_id,
    name: names.of(referenceOf(one))?.name ?? null,
    area: one.area,
    since: toMoment(one.joined_at),
    until: momentOf(one.left_at),
  }));
  if (subjects.length === 0 && row.subject_kind !== null && row.subject_id !== null)
    subjects.push({
      kind: row.subject_kind,
      _id: row.subject_id,
      name: names.of(referenceOf(row))?.name ?? null,
      area: row.area,
      since: toMoment(row.raised_at),
      until: momentOf(row.cleared_at),
    });
  const first = subjects.find(({ until }) => until === null) ?? subjects[0];
  return {
    subject: first === undefined ? null : { kind: first.kind, _id: first._id, name: first.name },
    subjects,
  };
}
