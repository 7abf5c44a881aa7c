/** Decides who may see which incident. Pure. */
import type { IncidentFilter } from '@haris/contract/http/incidents';
import { INCIDENT_KINDS, type IncidentKind, severityOf } from '@haris/contract/incident-kinds';

/** Incidents that every parent may see while one of their children is inside. */
export const KINDS_FOR_PARENTS_INSIDE: readonly IncidentKind[] = ['temperature', 'air', 'evacuation'];

/** Incidents about a child that its parent may see. */
export const KINDS_FOR_PARENT: readonly IncidentKind[] = [
  'stay_due',
  'time_up',
  'expected_not_here',
  'accident',
];

export function isForParentsInside(kind: IncidentKind): boolean {
  return KINDS_FOR_PARENTS_INSIDE.includes(kind);
}

/** The kinds that a filter asks for; undefined: all. */
export function kindsOf({ kind, severity }: IncidentFilter): IncidentKind[] | undefined {
  if (kind === undefined && severity === undefined) return undefined;
  return INCIDENT_KINDS.filter(
    (one) => (kind ?? one) === one && (severity === undefined || severityOf(one) === severity),
  );
}
