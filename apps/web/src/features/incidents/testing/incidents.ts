/** Incidents for page tests, and a server that lists them. */
import { type Incident, incidentRoutes, incidentSchema } from '@haris/contract/http/incidents';
import { handle, server } from '../../../testing/contract-server.ts';
import { admin } from '../../../testing/people.ts';

export const staff = { admin: admin() };
const nobody = { total: 0, nextCursor: null };

/** An open danger in the Playroom. */
export function incident(more: Partial<Incident> = {}): Incident {
  return incidentSchema.parse({
    _id: 'incident-1',
    kind: 'temperature',
    severity: 'safety',
    area: 'Playroom',
    subject: null,
    value: 41.5,
    limit: 40,
    raisedAt: new Date().toISOString(),
    clearedAt: null,
    acknowledgedAt: null,
    acknowledgedBy: null,
    timeline: [],
    ...more,
  });
}

/** Serves a list of open incidents that the test can change. */
export function serveIncidents(...incidents: Incident[]) {
  const open = [...incidents];
  const acknowledged: string[] = [];
  let asked = 0;
  server.use(
    handle(incidentRoutes.listIncidents, () => {
      asked++;
      return { ...nobody, incidents: open, total: open.length };
    }),
    handle(incidentRoutes.acknowledgeIncident, ({ params: { id } }) => {
      acknowledged.push(id);
      const index = open.findIndex(({ _id }) => _id === id);
      const found = open[index];
      if (found === undefined) return { incident: incident({ _id: id }) };
      const by = { _id: staff.admin._id, name: staff.admin.name };
      const taken = { ...found, acknowledgedAt: new Date().toISOString(), acknowledgedBy: by };
      open[index] = taken;
      return { incident: taken };
    }),
  );
  return { open, acknowledged, asked: () => asked };
}
