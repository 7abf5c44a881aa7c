/**
 * The life of an incident: raised once per episode, made worse, escalated, taken on by somebody, over. Each change is one
 * transaction: row, timeline, step to tell, audit row, event.
 */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { addToTimeline, takeIncident } from '../../db/incidents.ts';
import { inTransactionUnder, type Lease } from '../../db/leases.ts';
import type { IncidentRow } from '../../db/schema.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { dueSteps } from './ladders.ts';
import { isForParentsInside } from './policy.ts';

/** What is the case, and names its episode: as long as that is open, the same again is the same incident. */
export interface Finding {
  readonly kind: IncidentRow['kind'];
  readonly episode: string;
  readonly area?: string | null;
  readonly subject?: { readonly kind: 'sensor' | 'camera' | 'child'; readonly id: string } | null;
  /** The child's. */
  readonly parentId?: string | null;
  readonly value?: number | null;
  readonly limit?: number | null;
}

interface Note {
  readonly actor: Actor | null;
  readonly note?: string | undefined;
}

type Change = 'raised' | 'updated' | 'escalated' | 'acknowledged' | 'cleared';

async function announce(
  context: Context,
  tx: Tx,
  change: Change,
  row: IncidentRow,
  { actor, ...details }: { actor: Actor | null; step?: number; value?: number | null },
): Promise<void> {
  await context.audit.append(tx, {
    actor,
    action: `incident.${change}`,
    subject: { kind: 'incident', id: row.id },
    details: { kind: row.kind, ...(row.subject_id === null ? {} : { about: row.subject_id }), ...details },
  });
  await context.events.append(tx, {
    type: `alert.${change}`,
    incidentId: row.id,
    ...(row.subject_kind === 'child' ? { childId: row.subject_id, parentId: row.parent_id } : {}),
    toParentsInside: isForParentsInside(row.kind),
  });
}

async function addStep(
  { trx }: Tx,
  incidentId: string,
  step: { step: number; phase: 'raised' | 'escalated' | 'cleared'; at: number },
): Promise<boolean> {
  const made = await trx
    .insertInto('incident_steps')
    .values({ incident_id: incidentId, ...step, claimed_until: 0, told_at: null })
    .onConflict((conflict) => conflict.columns(['incident_id', 'step', 'phase']).doNothing())
    .returning('step')
    .executeTakeFirst();
  return made !== undefined;
}

/** Raises it in this transaction; null where its episode is open already: two servers raise one. */
export async function raiseIn(
  context: Context,
  tx: Tx,
  finding: Finding,
  { actor, note }: Note = { actor: null },
): Promise<IncidentRow | null> {
  const at = context.clock.now();
  const row = await tx.trx
    .insertInto('incidents')
    .values({
      id: randomUUID(),
      kind: finding.kind,
      episode: finding.episode,
      area: finding.area ?? null,
      subject_kind: finding.subject?.kind ?? null,
      subject_id: finding.subject?.id ?? null,
      parent_id: finding.parentId ?? null,
      worst: finding.value ?? null,
      threshold: finding.limit ?? null,
      calm_since: null,
      raised_at: at,
      cleared_at: null,
      acknowledged_at: null,
      acknowledged_by: null,
      acknowledged_name: null,
    })
    .onConflict((conflict) => conflict.column('episode').where('cleared_at', 'is', null).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) return null;
  await addToTimeline(tx.trx, row.id, {
    at,
    what: 'raised',
    value: row.worst,
    note: note || null,
    by_id: actor?.id ?? null,
    by_name: actor?.name ?? null,
  });
  await addStep(tx, row.id, { step: 0, phase: 'raised', at });
  await announce(context, tx, 'raised', row, { actor, value: row.worst });
  return row;
}

/** Ends it in this transaction; answers whether it was open. */
export async function clearIn(
  context: Context,
  tx: Tx,
  id: string,
  { actor, note }: Note = { actor: null },
): Promise<boolean> {
  const at = context.clock.now();
  const row = await tx.trx
    .updateTable('incidents')
    .set({ cleared_at: at, calm_since: null })
    .where('id', '=', id)
    .where('cleared_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!row) return false;
  await addToTimeline(tx.trx, id, {
    at,
    what: 'cleared',
    note: note || null,
    by_id: actor?.id ?? null,
    by_name: actor?.name ?? null,
  });
  const reached = await tx.trx
    .selectFrom('incident_steps')
    .select((eb) => eb.fn.max('step').as('step'))
    .where('incident_id', '=', id)
    .executeTakeFirst();
  await addStep(tx, id, { step: Number(reached?.step ?? 0), phase: 'cleared', at });
  await announce(context, tx, 'cleared', row, { actor });
  return true;
}

/** Keeps a new worst value; nothing where the incident is over. */
export async function worsenIn(context: Context, tx: Tx, id: string, value: number): Promise<void> {
  const row = await tx.trx
    .updateTable('incidents')
    .set({ worst: value, calm_since: null })
    .where('id', '=', id)
    .where('cleared_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!row) return;
  await addToTimeline(tx.trx, id, { at: context.clock.now(), what: 'updated', value });
  await announce(context, tx, 'updated', row, { actor: null, value });
}

/** Adds the steps of an open incident that are due and not there yet, under the lease. Throws LeaseLostError. */
export async function escalate(context: Context, incident: IncidentRow, lease: Lease): Promise<void> {
  const due = dueSteps(stateOf(incident), context.clock.now());
  if (due.length <= 1) return;
  const there = await context.db
    .selectFrom('incident_steps')
    .select('step')
    .where('incident_id', '=', incident.id)
    .where('phase', '!=', 'cleared')
    .execute();
  if (due.every((step) => there.some((one) => one.step === step))) return;
  await inTransactionUnder(context, lease, async (tx) => {
    const row = await takeIncident(tx.trx, incident.id);
    if (!row) return;
    const at = context.clock.now();
    for (const step of dueSteps(stateOf(row), at)) {
      if (step === 0 || !(await addStep(tx, row.id, { step, phase: 'escalated', at }))) continue;
      await addToTimeline(tx.trx, row.id, { at, what: 'escalated', step });
      await announce(context, tx, 'escalated', row, { actor: null, step });
    }
  });
}

function stateOf(row: IncidentRow) {
  return {
    kind: row.kind,
    raisedAt: row.raised_at,
    acknowledgedAt: row.acknowledged_at,
    clearedAt: row.cleared_at,
  };
}

/** Notes who has taken it on. The first name stays. Throws 404. */
export async function acknowledge(
  context: Context,
  actor: Actor,
  id: string,
  note: string | undefined,
): Promise<IncidentRow> {
  return inTransaction(context.db, async (tx) => {
    const row = await takeIncident(tx.trx, id);
    if (!row) throw new AppError('not_found');
    if (row.acknowledged_at !== null) return row;
    const at = context.clock.now();
    const taken = await tx.trx
      .updateTable('incidents')
      .set({ acknowledged_at: at, acknowledged_by: actor.id, acknowledged_name: actor.name })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await addToTimeline(tx.trx, id, {
      at,
      what: 'acknowledged',
      by_id: actor.id,
      by_name: actor.name,
      note: note || null,
    });
    await announce(context, tx, 'acknowledged', taken, { actor });
    return taken;
  });
}
