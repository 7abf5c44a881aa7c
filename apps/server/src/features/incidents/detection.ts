/** Opens and clears incidents of some kinds according to the current findings. */
import { type IncidentKind, isGrouped } from '@haris/contract/incident-kinds';
import type { Context } from '../../context.ts';
import { findOpenSubjects, setSubjectsCalm } from '../../db/incident-subjects.ts';
import { findOpenIncidents, setCalmSince } from '../../db/incidents.ts';
import { inTransactionUnder, type Lease } from '../../db/leases.ts';
import type { IncidentSubjectRow } from '../../db/schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { joinIn, leaveIn } from './groups.ts';
import { clearIn, type Finding, raiseIn } from './lifecycle.ts';

/** Findings of one look at some kinds of incidents. */
export interface Detection {
  readonly kinds: readonly IncidentKind[];
  readonly findings: readonly Finding[];
  /** Conditions that do not open an incident, but keep an open incident from ending. */
  readonly goingOn?: ReadonlySet<string>;
}

/** Looks once. Returns null if the current state is unknown, which leaves incidents unchanged. */
export type Detector = (now: number) => Promise<Detection | null>;

/** An incident of these kinds ends only after its condition was absent for this long. Milliseconds. */
const CALM_MS: Partial<Record<IncidentKind, number>> = {
  capacity: 60_000,
  room_over_capacity: 10_000,
  room_understaffed: 10_000,
  camera_down: 10_000,
  broker_down: 10_000,
  unknown_person: 60_000,
};

/** Whether the condition has been absent for long enough, or since when it is absent, if that must be stored first. */
function calmOf(
  kind: IncidentKind,
  calmSince: number | null,
  now: number,
): 'over' | 'waiting' | { readonly since: number } {
  if (now - (calmSince ?? now) >= (CALM_MS[kind] ?? 0)) return 'over';
  // A later moment was stored before the clock was set back, so the calm starts again.
  return calmSince === null || calmSince > now ? { since: now } : 'waiting';
}

/** Opens incidents for new findings and clears incidents whose condition has ended, under the lease. Throws LeaseLostError. */
export async function reconcile(context: Context, detection: Detection, lease: Lease): Promise<void> {
  const write: Write = (work) => inTransactionUnder(context, lease, work);
  await reconcileSingle(context, detection, write);
  await reconcileGroups(context, detection, write);
}

type Write = (work: (tx: Tx) => Promise<unknown>) => Promise<unknown>;

/** Whether it is an incident with many subjects. */
function hasSubjects(kind: IncidentKind, isForStaff: boolean): boolean {
  return isForStaff && isGrouped(kind);
}

async function reconcileSingle(context: Context, detection: Detection, write: Write): Promise<void> {
  const rows = await findOpenIncidents(context.db, detection.kinds);
  const open = new Map(
    rows.filter((row) => !hasSubjects(row.kind, row.for_staff === 1)).map((row) => [row.condition, row]),
  );
  const found = new Set<string>();
  for (const finding of detection.findings) {
    if (hasSubjects(finding.kind, finding.onlyForParentId === undefined)) continue;
    found.add(finding.condition);
    const row = open.get(finding.condition);
    if (!row) await write((tx) => raiseIn(context, tx, finding));
    else if (row.calm_since !== null) await write((tx) => setCalmSince(tx.trx, row.id, null));
  }
  const now = context.clock.now();
  for (const row of open.values()) {
    if (found.has(row.condition) || detection.goingOn?.has(row.condition)) continue;
    const calm = calmOf(row.kind, row.calm_since, now);
    if (calm === 'over') await write((tx) => clearIn(context, tx, row.id));
    else if (calm !== 'waiting') await write((tx) => setCalmSince(tx.trx, row.id, calm.since));
  }
}

async function reconcileGroups(context: Context, detection: Detection, write: Write): Promise<void> {
  const kinds = detection.kinds.filter(isGrouped);
  if (kinds.length === 0) return;
  const inIt = new Map((await findOpenSubjects(context.db, kinds)).map((row) => [row.condition, row]));
  for (const kind of kinds) await reconcileGroup(context, kind, detection, inIt, write);
}

async function reconcileGroup(
  context: Context,
  kind: IncidentKind,
  detection: Detection,
  inIt: ReadonlyMap<string, IncidentSubjectRow>,
  write: Write,
): Promise<void> {
  const findings = detection.findings.filter(
    (finding) => finding.kind === kind && finding.onlyForParentId === undefined,
  );
  const found = new Set(findings.map(({ condition }) => condition));
  const now = context.clock.now();
  /** Changes by incident, so that each incident changes once. */
  const changes = new Map<string, { over: string[]; calm: string[]; back: string[] }>();
  for (const row of inIt.values()) {
    if (!row.condition.startsWith(`${kind} `)) continue;
    const change = changes.get(row.incident_id) ?? { over: [], calm: [], back: [] };
    changes.set(row.incident_id, change);
    if (found.has(row.condition)) {
      if (row.calm_since !== null) change.back.push(row.condition);
    } else if (!detection.goingOn?.has(row.condition)) {
      const calm = calmOf(kind, row.calm_since, now);
      if (calm === 'over') change.over.push(row.condition);
      else if (calm !== 'waiting') change.calm.push(row.condition);
    }
  }
  for (const [id, { over, calm, back }] of changes) {
    if (back.length > 0) await write((tx) => setSubjectsCalm(tx.trx, id, back, null));
    if (calm.length > 0) await write((tx) => setSubjectsCalm(tx.trx, id, calm, now));
    if (over.length > 0) await write((tx) => leaveIn(context, tx, id, over));
  }
  const joining = findings.filter(({ condition }) => !inIt.has(condition));
  if (joining.length > 0) await write((tx) => joinIn(context, tx, kind, joining));
}
