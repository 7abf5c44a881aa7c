/** Tells the steps that are due to whoever brings them to people: after the commit, at least once, by one server at a time. */
import { describeFailure } from '@haris/runtime/log';
import type { ExpressionBuilder } from 'kysely';
import type { Context } from '../../context.ts';
import {
  findIncident,
  findParentIdsInside,
  findSignedInStaffIds,
  findStaffIds,
  findSubjectNames,
  type Person,
} from '../../db/incidents.ts';
import type { Database, IncidentRow, IncidentStepRow } from '../../db/schema.ts';
import type { IncidentStep, IncidentStepReceiver } from '../../incident-step.ts';
import { type Audience, LADDERS } from './ladders.ts';

/** Another server tells a step that was not told within this time. Milliseconds. */
const CLAIMED_MS = 30_000;
/** Steps told in one go. */
const BATCH = 100;

/** Tells all that waits. A step that cannot be told is told again later. */
export async function tellSteps(context: Context, receive: IncidentStepReceiver): Promise<void> {
  const now = context.clock.now();
  // Further ahead than a claim lasts, it was made before the clock was set back.
  const isFree = (eb: ExpressionBuilder<Database, 'incident_steps'>) =>
    eb.or([eb('claimed_until', '<=', now), eb('claimed_until', '>', now + CLAIMED_MS)]);
  const waiting = await context.db
    .selectFrom('incident_steps')
    .selectAll()
    .where('told_at', 'is', null)
    .where(isFree)
    .orderBy('at')
    .orderBy('step')
    .limit(BATCH)
    .execute();
  for (const step of waiting) {
    const isThis = { incident_id: step.incident_id, step: step.step, phase: step.phase };
    const mine = await context.db
      .updateTable('incident_steps')
      .set({ claimed_until: now + CLAIMED_MS })
      .where((eb) => eb.and(isThis))
      .where('told_at', 'is', null)
      .where(isFree)
      .returning('step')
      .executeTakeFirst();
    if (!mine) continue;
    try {
      const incident = await findIncident(context.db, step.incident_id);
      if (incident) await receive(await describeStep(context, incident, step));
    } catch (error) {
      context.log.error(
        { incident: step.incident_id, step: step.step, ...describeFailure(error) },
        'a step of an incident could not be told',
      );
      continue;
    }
    await context.db
      .updateTable('incident_steps')
      .set({ told_at: context.clock.now() })
      .where((eb) => eb.and(isThis))
      .execute();
  }
}

async function describeStep(
  context: Context,
  incident: IncidentRow,
  { step, phase, at }: IncidentStepRow,
): Promise<IncidentStep> {
  const { severity, steps } = LADDERS[incident.kind];
  const audience =
    phase === 'cleared'
      ? await findReached(context, incident.id)
      : await reach(context, incident, steps[step]?.audience ?? ['staff']);
  const names = await findSubjectNames(context.db, [incident]);
  const values = {
    ...(incident.area === null ? {} : { area: incident.area }),
    ...(incident.subject_id === null ? {} : { name: names.get(incident.subject_id) ?? '' }),
    ...(incident.worst === null ? {} : { value: incident.worst }),
    ...(incident.threshold === null ? {} : { limit: incident.threshold }),
    minutes: Math.floor((at - incident.raised_at) / 60_000),
  };
  return {
    id: `${incident.id}:${step}:${phase}`,
    incidentId: incident.id,
    kind: incident.kind,
    step,
    phase,
    severity,
    audience,
    at,
    title: { key: `incident.${incident.kind}.title`, values },
    body: { key: `incident.${incident.kind}.body`, values },
  };
}

async function findReached({ db }: Context, incidentId: string): Promise<Person[]> {
  const rows = await db
    .selectFrom('incident_audience')
    .select(['account_kind', 'account_id'])
    .where('incident_id', '=', incidentId)
    .orderBy('account_kind')
    .orderBy('account_id')
    .execute();
  return rows.map((row) => ({ kind: row.account_kind, id: row.account_id }));
}

/** The people of an audience, and keeps that this incident has reached them. */
async function reach(
  context: Context,
  incident: IncidentRow,
  audiences: readonly Audience[],
): Promise<Person[]> {
  const people = new Map<string, Person>();
  for (const audience of audiences)
    for (const person of await findPeople(context, incident, audience))
      people.set(`${person.kind} ${person.id}`, person);
  const reached = [...people.values()];
  for (const { kind, id } of reached)
    await context.db
      .insertInto('incident_audience')
      .values({ incident_id: incident.id, account_kind: kind, account_id: id })
      .onConflict((conflict) => conflict.columns(['incident_id', 'account_kind', 'account_id']).doNothing())
      .execute();
  return reached;
}

async function findPeople(context: Context, incident: IncidentRow, audience: Audience): Promise<Person[]> {
  const { db } = context;
  const staff = (ids: readonly string[]): Person[] => ids.map((id) => ({ kind: 'admin', id }));
  switch (audience) {
    case 'parent':
      return incident.parent_id === null ? [] : [{ kind: 'parent', id: incident.parent_id }];
    case 'parents_inside':
      return (await findParentIdsInside(db)).map((id) => ({ kind: 'parent', id }));
    case 'desk': {
      const ids = await findSignedInStaffIds(db, context.clock.now());
      // Nobody at the desk: it must not be nobody's.
      return staff(ids.length > 0 ? ids : await findStaffIds(db));
    }
    case 'staff':
      return staff(await findStaffIds(db));
    case 'administrators': {
      const ids = await findStaffIds(db, { administrators: true });
      return staff(ids.length > 0 ? ids : await findStaffIds(db));
    }
  }
}
