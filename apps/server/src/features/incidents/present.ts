/** Incidents as the wire shows them, field by field: parents are not told which of the staff did what, or wrote what. */
import type { Incident } from '@haris/contract/http/incidents';
import type { Actor } from '../../actor.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findSubjectNames, findTimelines } from '../../db/incidents.ts';
import type { IncidentRow } from '../../db/schema.ts';
import { LADDERS } from './ladders.ts';

const momentOf = (at: number | null): string | null => (at === null ? null : toMoment(at));

export async function presentIncidents(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  rows: readonly IncidentRow[],
): Promise<Incident[]> {
  const names = await findSubjectNames(db, rows);
  const timelines = await findTimelines(
    db,
    rows.map(({ id }) => id),
  );
  const isStaff = actor.kind === 'admin';
  const person = (id: string | null, name: string | null) =>
    isStaff && id !== null ? { _id: id, name: name ?? '' } : null;
  return rows.map((row) => ({
    _id: row.id,
    kind: row.kind,
    severity: LADDERS[row.kind].severity,
    area: row.area,
    subject:
      row.subject_kind === null || row.subject_id === null
        ? null
        : { kind: row.subject_kind, _id: row.subject_id, name: names.get(row.subject_id) ?? null },
    value: row.worst,
    limit: row.threshold,
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
