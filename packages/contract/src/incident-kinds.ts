/** What incidents are about, and how much they matter; without a schema, for whoever only names them. */

export const INCIDENT_KINDS = [
  'temperature',
  'air',
  'sensor_offline',
  'stay_due',
  'time_up',
  'not_seen',
  'seen_outside',
  'unknown_person',
  'camera_down',
  'broker_down',
  'capacity',
  'disk',
  'database',
  'backup',
  'evacuation',
] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** How much it matters: `safety` may wake people, `care` concerns a child or a room, `operation` the machine. */
export const INCIDENT_SEVERITIES = ['safety', 'care', 'operation'] as const;
export type IncidentSeverity = (typeof INCIDENT_SEVERITIES)[number];
