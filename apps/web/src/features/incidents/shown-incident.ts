/**
 * Incidents as this page reads them. After an update the server may know kinds of incidents, subjects and events that an
 * older page does not: they are unknown ones, instead of a list that cannot be read.
 */
import {
  incidentRoutes,
  incidentSchema,
  subjectSchema,
  subjectTimeSchema,
  timelineEntrySchema,
} from '@haris/contract/http/incidents';
import { pageShape } from '@haris/contract/http/route';
import { isDanger } from '@haris/contract/incident-kinds';
import * as z from 'zod/mini';

/** `unknown`: a word of a newer server. */
function orUnknown<Known extends string>(schema: z.ZodMiniType<Known>) {
  return z.pipe(
    z.string(),
    z.transform((word): Known | 'unknown' => {
      const known = schema.safeParse(word);
      return known.success ? known.data : 'unknown';
    }),
  );
}

const shownSubject = { kind: orUnknown(subjectSchema.shape.kind) };
const shownSubjectTimeSchema = z.extend(subjectTimeSchema, shownSubject);
export type ShownSubject = z.infer<typeof shownSubjectTimeSchema>;

const shownIncidentSchema = z.extend(incidentSchema, {
  kind: orUnknown(incidentSchema.shape.kind),
  subject: z.nullable(z.extend(subjectSchema, shownSubject)),
  subjects: z._default(z.array(shownSubjectTimeSchema), []),
  timeline: z.array(z.extend(timelineEntrySchema, { what: orUnknown(timelineEntrySchema.shape.what) })),
});
export type ShownIncident = z.infer<typeof shownIncidentSchema>;

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
