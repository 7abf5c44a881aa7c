/** Who may know of which incident. Pure. */
import type { IncidentKind } from '@haris/contract/incident-kinds';

/** What every parent may know of while one of the own children is inside. */
export const KINDS_FOR_PARENTS_INSIDE: readonly IncidentKind[] = ['temperature', 'air', 'evacuation'];

export function isForParentsInside(kind: IncidentKind): boolean {
  return KINDS_FOR_PARENTS_INSIDE.includes(kind);
}
