/** The steps of incidents that wait to be passed on. */
import type { Kysely, Transaction } from 'kysely';
import { claimRow, type RowKey, updateClaimedRow } from './queue-rows.ts';
import type { Database, IncidentStepRow } from './schema.ts';

type NewStep = Pick<IncidentStepRow, 'step' | 'phase' | 'at'>;

/** Adds a step that is due at once; returns false if it exists already. */
export async function addStep(
  trx: Transaction<Database>,
  incidentId: string,
  step: NewStep,
): Promise<boolean> {
  const made = await trx
    .insertInto('incident_steps')
    .values({ incident_id: incidentId, ...step, next_try_at: 0, attempts: 0, notified_at: null })
    .onConflict((conflict) => conflict.columns(['incident_id', 'step', 'phase']).doNothing())
    .returning('step')
    .executeTakeFirst();
  return made !== undefined;
}

/** The numbers of the steps that an incident has reached, unordered, without the steps of its end. */
export async function findReachedSteps(db: Kysely<Database>, incidentId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('incident_steps')
    .select('step')
    .where('incident_id', '=', incidentId)
    .where('phase', '!=', 'cleared')
    .execute();
  return rows.map(({ step }) => step);
}

/** The highest step that an incident has reached; 0 if it has none. */
export async function findHighestStep(trx: Transaction<Database>, incidentId: string): Promise<number> {
  const reached = await trx
    .selectFrom('incident_steps')
    .select((eb) => eb.fn.max('step').as('step'))
    .where('incident_id', '=', incidentId)
    .executeTakeFirst();
  return Number(reached?.step ?? 0);
}

function keyOf({ incident_id, step, phase }: IncidentStepRow): RowKey {
  return { incident_id, step, phase };
}

/**
 * Claims the next step until `until`, oldest first. Undefined: none is due; null: another server was quicker. A moment
 * later than `until` was written before the clock was set back, so that step counts as due.
 */
export async function claimStep(
  db: Kysely<Database>,
  now: number,
  until: number,
): Promise<IncidentStepRow | undefined | null> {
  const due = await db
    .selectFrom('incident_steps')
    .selectAll()
    .where('notified_at', 'is', null)
    .where((eb) => eb.or([eb('next_try_at', '<=', now), eb('next_try_at', '>', until)]))
    .orderBy('at')
    .orderBy('step')
    .limit(1)
    .executeTakeFirst();
  return due && claimRow(db, 'incident_steps', keyOf(due), due, until);
}

export async function completeStep(db: Kysely<Database>, row: IncidentStepRow, now: number): Promise<void> {
  await db
    .updateTable('incident_steps')
    .set({ notified_at: now })
    .where((eb) => eb.and({ incident_id: row.incident_id, step: row.step, phase: row.phase }))
    .execute();
}

/** Schedules the next attempt of a claimed step. */
export function retryStep(db: Kysely<Database>, row: IncidentStepRow, at: number): Promise<void> {
  return updateClaimedRow(db, 'incident_steps', keyOf(row), row, { next_try_at: at });
}
