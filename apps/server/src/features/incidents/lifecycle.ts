/**
 * Changes the state of incidents: raises one per condition, makes it worse, escalates, acknowledges and clears it. Each
 * change is one transaction with row, timeline, step, audit row and event.
 */
import { randomUUID } from 'node:crypto';
import { isDanger, isGrouped } from '@haris/contract/incident-kinds';
import type { Actor, DeskDevice } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { lockEventOrder } from '../../db/events.ts';
import { findFamiliesOf } from '../../db/guardians/of-child.ts';
import { findUnacknowledgedIds } from '../../db/incident-pages.ts';
import { addStep, findHighestStep, findReachedSteps } from '../../db/incident-steps.ts';
import { deleteSubjects, findPresentSubjects } from '../../db/incident-subjects.ts';
import {
  addIncident,
  addToTimeline,
  closeForJoining,
  closeIncident,
  findIncident,
  lockIncident,
  setAcknowledged,
  setWorst,
} from '../../db/incidents.ts';
import { inTransactionUnder, type Lease } from '../../db/leases.ts';
import type { IncidentRow } from '../../db/schema.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { dueSteps, type LadderState, ladderOf } from './ladders.ts';
import { isForGuardians, isForParentsInside } from './policy.ts';

/** A condition that currently holds. While its incident is open, the same finding belongs to that incident. */
export interface Finding {
  readonly kind: IncidentRow['kind'];
  readonly condition: string;
  readonly area?: string | null;
  readonly subject?: { readonly kind: 'sensor' | 'camera' | 'child' | 'room'; readonly id: string } | null;
  /** The first guardian of the child; not for staff. Kinds for guardians are for the others too. */
  readonly onlyForParentId?: string;
  /** The staff member at whose hands it happened: the timeline names them to colleagues. */
  readonly by?: { readonly id: string; readonly name: string };
  readonly value?: number | null;
  readonly limit?: number | null;
  /** Where a missing child was last. `at`: when a camera saw it there, in milliseconds since 1970; null: by its room. */
  readonly lastPlace?: { readonly area: string; readonly at: number | null } | null;
  /** Looks once more within the transaction that opens it; false opens nothing. */
  readonly stillHolds?: (tx: Tx) => Promise<boolean>;
}

interface Note {
  readonly actor: Actor | DeskDevice | null;
  readonly note?: string | undefined;
}

type Change = 'raised' | 'updated' | 'escalated' | 'acknowledged' | 'cleared';

async function announce(
  context: Context,
  tx: Tx,
  change: Change,
  row: IncidentRow,
  { actor, ...details }: { actor: Actor | DeskDevice | null; step?: number; value?: number | null },
): Promise<void> {
  const parentId = row.for_staff === 0 ? await findFamilyNow(tx, row) : row.parent_id;
  // The end of a paid time is nobody's action, and staff get a separate incident about it.
  if (row.for_staff === 0) await lockEventOrder(tx);
  else
    await context.audit.append(tx, {
      actor,
      action: `incident.${change}`,
      subject: { kind: 'incident', id: row.id },
      details: { kind: row.kind, ...(row.subject_id === null ? {} : { about: row.subject_id }), ...details },
    });
  await context.events.append(tx, {
    type: `alert.${change}`,
    incidentId: row.id,
    ...(row.subject_kind === 'child' ? { childId: row.subject_id, parentId } : {}),
    audience: row.for_staff === 0 && isForGuardians(row.kind) ? 'guardians' : 'family',
    toParentsInside: isForParentsInside(row.kind),
  });
}

/** The first guardian of the child now: it may have been passed on since the incident was raised. That of then if the child is gone. */
async function findFamilyNow(
  { trx }: Tx,
  { subject_kind: kind, subject_id: id, parent_id: then }: IncidentRow,
): Promise<string | null> {
  if (kind !== 'child' || id === null) return then;
  return (await findFamiliesOf(trx, [id])).get(id) ?? then;
}

/** Opens an incident in this transaction; null if its condition has an open one, so that two servers open only one. */
export async function raiseIn(
  context: Context,
  tx: Tx,
  finding: Finding,
  { actor, note }: Note = { actor: null },
): Promise<IncidentRow | null> {
  if (finding.stillHolds && !(await finding.stillHolds(tx))) return null;
  const at = context.clock.now();
  const row = await addIncident(tx.trx, {
    id: randomUUID(),
    kind: finding.kind,
    condition: finding.condition,
    area: finding.area ?? null,
    subject_kind: finding.subject?.kind ?? null,
    subject_id: finding.subject?.id ?? null,
    parent_id: finding.onlyForParentId ?? null,
    for_staff: finding.onlyForParentId === undefined ? 1 : 0,
    worst: finding.value ?? null,
    threshold: finding.limit ?? null,
    last_area: finding.lastPlace?.area ?? null,
    last_seen_at: finding.lastPlace?.at ?? null,
    raised_at: at,
  });
  if (!row) return null;
  await addToTimeline(tx.trx, row.id, {
    at,
    what: 'raised',
    value: row.worst,
    note: note || null,
    by_id: (actor ?? finding.by)?.id ?? null,
    by_name: (actor ?? finding.by)?.name ?? null,
  });
  await addStep(tx.trx, row.id, { step: 0, phase: 'raised', at });
  await announce(context, tx, 'raised', row, { actor, value: row.worst });
  return row;
}

/** Clears an incident in this transaction; returns false if it was not open. */
export async function clearIn(
  context: Context,
  tx: Tx,
  id: string,
  { actor, note }: Note = { actor: null },
): Promise<boolean> {
  const at = context.clock.now();
  const row = await closeIncident(tx.trx, id, at);
  if (!row) return false;
  await addToTimeline(tx.trx, id, {
    at,
    what: 'cleared',
    note: note || null,
    by_id: actor?.id ?? null,
    by_name: actor?.name ?? null,
  });
  const step = await findHighestStep(tx.trx, id);
  await addStep(tx.trx, id, { step, phase: 'cleared', at });
  await announce(context, tx, 'cleared', row, { actor });
  return true;
}

/** Stores a new worst value; does nothing if the incident has ended. */
export async function worsenIn(context: Context, tx: Tx, id: string, value: number): Promise<void> {
  const row = await setWorst(tx.trx, id, value);
  if (!row) return;
  await addToTimeline(tx.trx, id, { at: context.clock.now(), what: 'updated', value });
  await announce(context, tx, 'updated', row, { actor: null, value });
}

/** Adds newly due steps of an open incident, under the lease. Throws LeaseLostError. */
export async function escalate(context: Context, incident: IncidentRow, lease: Lease): Promise<void> {
  const due = dueSteps(stateOf(incident), context.clock.now());
  if (due.length <= 1) return;
  const reached = await findReachedSteps(context.db, incident.id);
  if (due.every((step) => reached.includes(step))) return;
  await inTransactionUnder(context, lease, async (tx) => {
    const row = await lockIncident(tx.trx, incident.id);
    if (!row) return;
    const at = context.clock.now();
    for (const step of dueSteps(stateOf(row), at)) {
      if (step === 0 || !(await addStep(tx.trx, row.id, { step, phase: 'escalated', at }))) continue;
      await addToTimeline(tx.trx, row.id, { at, what: 'escalated', step });
      await announce(context, tx, 'escalated', row, { actor: null, step });
    }
  });
}

export function stateOf(row: IncidentRow): LadderState {
  return {
    ladder: ladderOf(row),
    raisedAt: row.raised_at,
    acknowledgedAt: row.acknowledged_at,
    clearedAt: row.cleared_at,
  };
}

/** Acknowledges an incident. If two people acknowledge it, the first one's name stays. Throws 404. */
export async function acknowledge(
  context: Context,
  actor: Actor,
  id: string,
  note: string | undefined,
): Promise<IncidentRow> {
  return inTransaction(context.db, async (tx) => {
    const row = await acknowledgeIn(context, tx, actor, id, { note });
    if (!row) throw new AppError('not_found');
    return row;
  });
}

/** `shown`: ids of the subjects that the person saw; undefined: all. */
interface Reading {
  readonly note?: string | undefined;
  readonly shown?: readonly string[] | undefined;
}

/** The incidents to acknowledge at once: these ids, or all that match a filter. */
export type Choice =
  | { readonly ids: readonly string[] }
  | { readonly kinds: readonly IncidentRow['kind'][] | undefined; readonly area: string | undefined };

/**
 * Acknowledges all chosen incidents but dangers, in one transaction. `left`: how many of the ids were left out, because
 * the incident is a danger, is not for staff, or has no subject that the person saw.
 */
export async function acknowledgeMany(
  context: Context,
  actor: Actor,
  choice: Choice,
  reading: Reading,
): Promise<{ rows: IncidentRow[]; left: number }> {
  return inTransaction(context.db, async (tx) => {
    // All transactions lock in the order of the ids, so that two of them cannot wait for each other.
    const ids =
      'ids' in choice ? [...new Set(choice.ids)].sort() : await findUnacknowledgedIds(tx.trx, choice);
    const rows: IncidentRow[] = [];
    for (const id of ids) {
      const found = await findIncident(tx.trx, id);
      if (!found || isDanger(found.kind)) continue;
      const row = await acknowledgeIn(context, tx, actor, id, reading);
      if (row) rows.push(row);
    }
    return { rows, left: 'ids' in choice ? ids.length - rows.length : 0 };
  });
}

/** Undefined if there is no such incident for staff, or if the person saw none of its subjects. */
async function acknowledgeIn(
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  { note, shown }: Reading,
): Promise<IncidentRow | undefined> {
  const row = await lockIncident(tx.trx, id);
  if (row?.for_staff !== 1) return undefined;
  if (row.acknowledged_at !== null) return row;
  if (shown !== undefined && !(await leaveOutUnseen(tx, row, shown))) return undefined;
  const at = context.clock.now();
  const acknowledged = await setAcknowledged(tx.trx, id, actor, at);
  // The acknowledgement does not cover subjects that come later.
  if (isGrouped(row.kind)) await closeForJoining(tx.trx, row);
  await addToTimeline(tx.trx, id, {
    at,
    what: 'acknowledged',
    by_id: actor.id,
    by_name: actor.name,
    note: note || null,
  });
  await announce(context, tx, 'acknowledged', acknowledged, { actor });
  return acknowledged;
}

/**
 * Removes subjects that the person did not see from an open incident. The next look opens a separate incident for them,
 * which notifies people. Returns false if the person saw none of the current ones.
 */
async function leaveOutUnseen(tx: Tx, row: IncidentRow, shown: readonly string[]): Promise<boolean> {
  if (!isGrouped(row.kind) || row.cleared_at !== null) return true;
  const present = await findPresentSubjects(tx.trx, row.id);
  const unseen = present.filter(({ subject_id }) => !shown.includes(subject_id));
  if (unseen.length > 0 && unseen.length === present.length) return false;
  await deleteSubjects(
    tx.trx,
    row.id,
    unseen.map(({ condition }) => condition),
  );
  return true;
}
