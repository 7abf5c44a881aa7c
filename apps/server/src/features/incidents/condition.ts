/**
 * Decides from readings when a condition begins and ends: a limit with hysteresis, a delay before the begin, and a calm
 * period before the end. A pure reducer over readings; time alone never ends a condition.
 */
import type { AlarmLimit } from '@haris/contract/alarms';

/** Moments are milliseconds since 1970. */
export type ConditionState =
  | { readonly phase: 'quiet' }
  /** Above the limit, but not yet for the delay. */
  | { readonly phase: 'pending'; readonly since: number }
  /** `calmSince`: when readings fell below the hysteresis; null while they are above it. */
  | { readonly phase: 'active'; readonly worst: number; readonly calmSince: number | null };

export interface ReadingValue {
  readonly value: number;
  readonly at: number;
  /** Whether the sensor's value can be trusted. An untrusted value may open an incident, but never ends one. */
  readonly isBelievable: boolean;
}

export type ConditionChange = 'none' | 'raised' | 'worse' | 'cleared';

export const QUIET: ConditionState = { phase: 'quiet' };

/** The state after a reading, and the resulting change. */
export function afterReading(
  state: ConditionState,
  { value, at, isBelievable }: ReadingValue,
  limit: AlarmLimit,
): { readonly state: ConditionState; readonly change: ConditionChange } {
  const isAbove = value >= limit.from;
  const isCalm = !isAbove && value <= limit.from - limit.hysteresis;
  if (state.phase === 'active') {
    if (!isCalm) {
      // Require a rise by at least the hysteresis, so that noise is not reported as worse.
      const isWorse = value > state.worst && value >= state.worst + limit.hysteresis;
      if (isWorse) return { state: { phase: 'active', worst: value, calmSince: null }, change: 'worse' };
      return {
        state: state.calmSince === null ? state : { ...state, calmSince: null },
        change: 'none',
      };
    }
    if (!isBelievable) return { state, change: 'none' };
    const calmSince = Math.min(state.calmSince ?? at, at);
    if (at - calmSince >= limit.clearSeconds * 1000) return { state: QUIET, change: 'cleared' };
    return { state: state.calmSince === calmSince ? state : { ...state, calmSince }, change: 'none' };
  }
  if (isAbove) {
    // A moment stored while the clock was ahead must not lengthen the delay.
    const known = state.phase === 'pending' && state.since <= at ? state : null;
    const since = known?.since ?? at;
    if (at - since >= limit.delaySeconds * 1000)
      return { state: { phase: 'active', worst: value, calmSince: null }, change: 'raised' };
    return { state: known ?? { phase: 'pending', since }, change: 'none' };
  }
  // A dip below the limit restarts the delay only once it counts as calm.
  if (state.phase === 'pending' && isCalm) return { state: QUIET, change: 'none' };
  return { state, change: 'none' };
}
