/**
 * Incidents with many subjects: a subject joins the open incident of its kind or opens one; the last to leave ends
 * it.
 */
import type { IncidentKind } from '@haris/contract/incident-kinds';
import type { Context } from '../../context.ts';
import { lockEventOrder } from '../../db/events.ts';
import { addSubjects, endSubjects, findSubjects } from '../../db/incident-subjects.ts';
import { closeForJoining, findOpenIncidentFor, lockIncident, setArea } from '../../db/incidents.ts';
import type { IncidentRow, IncidentSubjectRow } from '../../db/schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { hasStepsLeft } from './ladders.ts';
import { clearIn, type Finding, raiseIn, stateOf } from './lifecycle.ts';

/** The area that all subjects share; null if they are in several. */
export function commonArea(subjects: readonly Pick<IncidentSubjectRow, 'area'>[]): string | null {
  const areas = new Set(subjects.map(({ area }) => area));
  return areas.size === 1 ? (subjects[0]?.area ?? null) : null;
}

/** Subjects whose condition holds; all if none does. */
export function presentSubjects(subjects: readonly IncidentSubjectRow[]): readonly IncidentSubjectRow[] {
  const present = subjects.filter(({ left_at }) => left_at === null);
  return present.length > 0 ? present : subjects;
}

/** The limit that all findings share; null if they have several, or none. */
function commonLimit(findings: readonly Finding[]): number | null {
  const limits = new Set(findings.map(({ limit }) => limit ?? null));
  return limits.size === 1 ? (findings[0]?.limit ?? null) : null;
}

/** Adds the subjects of new findings of one kind to its open incident, or opens one for them. */
export async function joinIn(
  context: Context,
  tx: Tx,
  kind: IncidentKind,
  findings: readonly Finding[],
): Promise<void> {
  const { trx } = tx;
  const at = context.clock.now();
  const subjects = [];
  for (const { condition, area, subject, stillHolds } of findings)
    if (subject && (!stillHolds || (await stillHolds(tx))))
      subjects.push({
        condition,
        area: area ?? null,
        subject_kind: subject.kind,
        subject_id: subject.id,
      });
  if (subjects.length === 0) return;
  const open = await findTaking(tx, kind, at);
  const row =
    open ??
    (await raiseIn(context, tx, {
      kind,
      condition: kind,
      area: commonArea(subjects),
      limit: commonLimit(findings),
    }));
  // Another server opened it at the same time; the next look joins it.
  if (!row) return;
  await addSubjects(trx, row.id, subjects, at);
  if (open) await announceSubjects(context, tx, row);
}

/**
 * The incident that takes subjects of a kind, locked. An incident that can take no more subjects loses the key of its
 * kind, so that another one can be opened.
 */
async function findTaking(tx: Tx, kind: IncidentKind, at: number): Promise<IncidentRow | undefined> {
  const open = await findOpenIncidentFor(tx.trx, kind);
  const row = open && (await lockIncident(tx.trx, open.id));
  // It was acknowledged or ended between the two queries, which has freed the key.
  if (!row || row.cleared_at !== null || row.acknowledged_at !== null) return undefined;
  if (hasStepsLeft(stateOf(row), at)) return row;
  await closeForJoining(tx.trx, row);
  return undefined;
}

/** Ends conditions of an incident; it ends with its last one. */
export async function leaveIn(
  context: Context,
  tx: Tx,
  id: string,
  conditions: readonly string[],
): Promise<void> {
  const row = await lockIncident(tx.trx, id);
  if (!row || row.cleared_at !== null) return;
  const left = await endSubjects(tx.trx, id, conditions, context.clock.now());
  if (left === 0) await clearIn(context, tx, id);
  else await announceSubjects(context, tx, row);
}

/** Stores the area of the current subjects, and emits the change for open pages. */
async function announceSubjects(context: Context, tx: Tx, row: IncidentRow): Promise<void> {
  const subjects = (await findSubjects(tx.trx, [row.id])).get(row.id) ?? [];
  const area = commonArea(presentSubjects(subjects));
  if (area !== row.area) await setArea(tx.trx, row.id, area);
  await lockEventOrder(tx);
  await context.events.append(tx, { type: 'alert.updated', incidentId: row.id });
}
