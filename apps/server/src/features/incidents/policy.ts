/** Decides who may see which incident. Pure. */
import type { IncidentFilter } from '@haris/contract/http/incidents';
import { INCIDENT_KINDS, type IncidentKind, severityOf } from '@haris/contract/incident-kinds';

/** Incidents that every parent may see while one of their children is inside. */
export const KINDS_FOR_PARENTS_INSIDE: readonly IncidentKind[] = ['temperature', 'air', 'evacuation'];

/** Incidents about a child that each of its guardians may see. */
export const KINDS_FOR_GUARDIANS: readonly IncidentKind[] = ['stay_due', 'time_up'];

/** Those that its first guardian may see: the others read no bookings, and sign no entry of the care log. */
export const KINDS_FOR_FIRST: readonly IncidentKind[] = ['expected_not_here', 'accident'];

/** Whether an incident about a child that is not for staff is for each of its guardians. */
export function isForGuardians(kind: IncidentKind): boolean {
  return KINDS_FOR_GUARDIANS.includes(kind);
}

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
