/** Rows of incidents for steps that no engine raised. */
import type { IncidentKind } from '@haris/contract/incident-kinds';
import { inFacility, MAIN_FACILITY } from '../facility.ts';
import type { TestApp } from './harness.ts';

/** Adds the incident of a step at the main facility: about a child, or about nobody. */
export async function insertIncident(
  { context, clock }: Pick<TestApp, 'context' | 'clock'>,
  { incidentId: id, kind }: { readonly incidentId: string; readonly kind: IncidentKind },
  childId: string | null = null,
): Promise<void> {
  const nobody = { acknowledged_at: null, acknowledged_by: null, acknowledged_name: null };
  const subject = { subject_kind: childId === null ? null : ('child' as const), subject_id: childId };
  const about = { ...subject, area: null, parent_id: null };
  const values = { worst: null, threshold: null, calm_since: null, raised_at: clock.now(), cleared_at: null };
  await inFacility(MAIN_FACILITY, () =>
    context.db
      .insertInto('incidents')
      .values({ id, kind, condition: id, ...nobody, ...about, ...values })
      .execute(),
  );
}
