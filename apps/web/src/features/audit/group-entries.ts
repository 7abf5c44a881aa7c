/** Arranges the rows of the audit log as a timeline: by day, with repeated views of one person in one entry. */
import { auditKindOf } from '@haris/contract/audit';
import type { AuditEntry } from '@haris/contract/objects';

/** Rows that one line of the timeline shows, newest first; more than one only for views. */
export type Moment = readonly [AuditEntry, ...AuditEntry[]];

export interface Day {
  /** As `dayOf` names it. */
  readonly day: string;
  readonly moments: readonly Moment[];
}

function isSameView(a: AuditEntry, b: AuditEntry): boolean {
  return auditKindOf(a.action) === 'views' && a.action === b.action && a.actor?.id === b.actor?.id;
}

/** Groups rows that are newest first. `dayOf`: the day of a moment in the facility's time zone. */
export function groupEntries(entries: readonly AuditEntry[], dayOf: (at: string) => string): Day[] {
  const days: { day: string; moments: [AuditEntry, ...AuditEntry[]][] }[] = [];
  for (const entry of entries) {
    const day = dayOf(entry.at);
    let current = days.at(-1);
    if (current?.day !== day) {
      current = { day, moments: [] };
      days.push(current);
    }
    const last = current.moments.at(-1);
    if (last !== undefined && isSameView(last[0], entry)) last.push(entry);
    else current.moments.push([entry]);
  }
  return days;
}
