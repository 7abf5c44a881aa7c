/** Rate limit of notifications to one person. Pure. Always allows the first notification of an incident and its end. */

export interface RateCase {
  readonly phase: 'raised' | 'escalated' | 'cleared';
  readonly isSafety: boolean;
  /** Whether this person was notified of this incident by this channel before. */
  readonly wasNotified: boolean;
  /** Number of notifications to this person by this channel within {@link RATE_WINDOW_MS}. */
  readonly sentLately: number;
}

/** Milliseconds. */
export const RATE_WINDOW_MS = 3_600_000;
const MOST_PER_WINDOW = 20;

/** Whether a notification is within the limit, which applies only to further steps of incidents that are not dangers. */
export function isWithinRate({ phase, isSafety, wasNotified, sentLately }: RateCase): boolean {
  if (phase !== 'escalated' || isSafety || !wasNotified) return true;
  return sentLately < MOST_PER_WINDOW;
}
