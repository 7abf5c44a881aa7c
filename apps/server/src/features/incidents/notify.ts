/** Passes due steps on to the receiver that notifies people: after their commit, at least once. */
import { severityOf } from '@haris/contract/incident-kinds';
import type { Context } from '../../context.ts';
import { claimStep, completeStep, retryStep } from '../../db/incident-steps.ts';
import { findSubjects } from '../../db/incident-subjects.ts';
import { findIncident } from '../../db/incidents.ts';
import type { IncidentRow, IncidentStepRow } from '../../db/schema.ts';
import { findNames } from '../../db/subject-names.ts';
import { inFacility } from '../../facility.ts';
import type { IncidentStep, IncidentStepReceiver } from '../../incident-step.ts';
import { type DurableQueue, openQueue, type QueueAdapter } from '../../queue/queue.ts';
import { findAudience } from './audience.ts';
import { commonArea, presentSubjects } from './groups.ts';

/** A step whose server died is passed on by another server after this. Milliseconds. */
const LEASE_MS = 30_000;
/** A step whose receiver failed is retried after this, without limit. Milliseconds. */
const RETRY_MS = 30_000;

export function openStepQueue(context: Context, receive: IncidentStepReceiver): DurableQueue {
  const { db } = context;
  const adapter: QueueAdapter<IncidentStepRow, 'steps'> = {
    messages: {
      done: 'a step of an incident was passed on',
      failed: 'a step of an incident could not be passed on',
    },
    claim: (_lane, now, until) => claimStep(db, now, until),
    async perform(row) {
      const incident = await findIncident(db, row.incident_id);
      if (!incident) return;
      // The people and names of its facility, and what its settings say.
      await inFacility(incident.facility_id, async () => receive(await describeStep(context, incident, row)));
    },
    complete: (row, now) => completeStep(db, row, now),
    pauseAfter: () => RETRY_MS,
    retry: (row, _error, at) => retryStep(db, row, at),
    giveUp: () => Promise.reject(new Error('a step of an incident is never given up')),
    describe: ({ incident_id, step, phase }) => ({ incident: incident_id, step, phase }),
  };
  return openQueue(adapter, context, { leaseMs: LEASE_MS, lanes: { steps: 1 } });
}

async function describeStep(
  context: Context,
  incident: IncidentRow,
  { step, phase, at }: IncidentStepRow,
): Promise<IncidentStep> {
  const audience = await findAudience(context, incident, { phase, step });
  const all = (await findSubjects(context.db, [incident.id])).get(incident.id) ?? [];
  const present = phase === 'cleared' ? all : presentSubjects(all);
  const only = all.length === 0 ? incident : present.length === 1 ? present[0] : undefined;
  const subject = only && { kind: only.subject_kind, id: only.subject_id };
  const names = await findNames(context.db, subject ? [subject] : []);
  const area = all.length === 0 ? incident.area : commonArea(present);
  const values = {
    ...(area === null ? {} : { area }),
    ...(subject?.id ? { name: names.of(subject)?.name ?? '' } : {}),
    // Not `area`: who wants to hear of some rooms alone hears of a missing child all the same.
    ...(incident.last_area === null ? {} : { place: incident.last_area }),
    ...(present.length > 1 ? { count: present.length } : {}),
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
    severity: severityOf(incident.kind),
    audience,
    at,
    title: { key: `incident.${incident.kind}.title`, values },
    body: { key: `incident.${incident.kind}.body`, values },
  };
}
