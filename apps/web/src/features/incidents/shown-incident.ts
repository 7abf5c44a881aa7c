/**
 * Incidents as this page reads them. After an update the server may know kinds that an older page does not: such an
 * incident is an alert of an unknown kind, with its severity, instead of a list that cannot be read.
 */
import { type Incident, incidentRoutes, incidentSchema } from '@haris/contract/http/incidents';
import { pageShape } from '@haris/contract/http/route';
import { INCIDENT_KINDS, isDanger } from '@haris/contract/incident-kinds';
import * as z from 'zod/mini';

/** `unknown`: a kind of a newer server. */
type ShownKind = Incident['kind'] | 'unknown';
export type ShownIncident = Omit<Incident, 'kind'> & { readonly kind: ShownKind };

const shownIncidentSchema = z.extend(incidentSchema, {
  kind: z.pipe(
    z.string(),
    z.transform((kind): ShownKind => INCIDENT_KINDS.find((known) => known === kind) ?? 'unknown'),
  ),
});

/** The calls that answer with incidents, read this way. */
export const shownRoutes = {
  listIncidents: {
    ...incidentRoutes.listIncidents,
    answer: z.object({ incidents: z.array(shownIncidentSchema), ...pageShape }),
  },
  acknowledgeIncident: {
    ...incidentRoutes.acknowledgeIncident,
    answer: z.object({ incident: shownIncidentSchema }),
  },
  acknowledgeIncidents: {
    ...incidentRoutes.acknowledgeIncidents,
    answer: z.extend(incidentRoutes.acknowledgeIncidents.answer, { incidents: z.array(shownIncidentSchema) }),
  },
};

/** Whether it is a danger to people; the severity says it of an unknown kind. */
export function isDangerous({ kind, severity }: Pick<ShownIncident, 'kind' | 'severity'>): boolean {
  return isDanger(kind) || (kind === 'unknown' && severity === 'safety');
}
