/** How many notices one person gets: pure. The first of an incident and its end are never held back. */

export interface RateCase {
  readonly phase: 'raised' | 'escalated' | 'cleared';
  readonly isSafety: boolean;
  /** Whether this person was told of this incident before, on this way. */
  readonly wasTold: boolean;
  /** Notices that this person was sent on this way within {@link RATE_WINDOW_MS}. */
  readonly sentLately: number;
}

/** Milliseconds. */
export const RATE_WINDOW_MS = 3_600_000;
const MOST_PER_WINDOW = 20;

/** Whether the notice goes out: only a further step of something known, that is no danger, can be one too many. */
export function isWithinRate({ phase, isSafety, wasTold, sentLately }: RateCase): boolean {
  if (phase !== 'escalated' || isSafety || !wasTold) return true;
  return sentLately < MOST_PER_WINDOW;
}
