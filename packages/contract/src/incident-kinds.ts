/** Kinds and severities of incidents, without schemas, for code that only needs the names. */

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
  'room_over_capacity',
  'room_understaffed',
  'barred_person',
  'missing_child',
  'unexpected_release',
  'doubtful_release',
  'desk_conflict',
  'expected_not_here',
  'sleep_check_overdue',
  'accident',
  'disk',
  'database',
  'backup',
  'backup_failed',
  'evacuation',
] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** `safety` is a danger, `care` concerns a child or a room, `operation` concerns a device or the machine. */
export const INCIDENT_SEVERITIES = ['safety', 'care', 'operation'] as const;
export type IncidentSeverity = (typeof INCIDENT_SEVERITIES)[number];

/** Dangers: only these block the screen and sound, and they always reach signed-in staff. All other kinds are quiet. */
const DANGER_KINDS = [
  'temperature',
  'air',
  'barred_person',
  'missing_child',
  'doubtful_release',
  'evacuation',
] as const satisfies readonly IncidentKind[];

/** Whether incidents of this kind are a danger to people; false for what is no incident, or of another version. */
export function isDanger(kind: string): boolean {
  return DANGER_KINDS.some((danger) => danger === kind);
}

/** Kinds whose incident covers many subjects: all children, cameras or sensors that have the same trouble. */
const GROUPED_KINDS: ReadonlySet<IncidentKind> = new Set([
  'time_up',
  'not_seen',
  'seen_outside',
  'unknown_person',
  'camera_down',
  'sensor_offline',
  'room_over_capacity',
  'room_understaffed',
  'expected_not_here',
  'sleep_check_overdue',
  'desk_conflict',
]);

export function isGrouped(kind: IncidentKind): boolean {
  return GROUPED_KINDS.has(kind);
}

const OPERATION_KINDS: ReadonlySet<IncidentKind> = new Set([
  'sensor_offline',
  'camera_down',
  'broker_down',
  'disk',
  'database',
  'backup',
  'backup_failed',
]);

/** The severity of each kind. */
export function severityOf(kind: IncidentKind): IncidentSeverity {
  if (isDanger(kind)) return 'safety';
  return OPERATION_KINDS.has(kind) ? 'operation' : 'care';
}
