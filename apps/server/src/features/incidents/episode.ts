/**
 * When a value that comes in readings begins and ends an episode: a limit with hysteresis, a delay before it counts and a calm
 * before it is over. A pure reducer over readings; the clock alone never ends anything.
 */
import type { AlarmLimit } from '@haris/contract/alarms';

/** Moments are milliseconds since 1970. */
export type EpisodeState =
  | { readonly phase: 'quiet' }
  /** Above the limit, but not for the delay yet. */
  | { readonly phase: 'pending'; readonly since: number }
  /** `calmSince`: since when readings have been below the hysteresis, null while they are not. */
  | { readonly phase: 'active'; readonly worst: number; readonly calmSince: number | null };

export interface EpisodeReading {
  readonly value: number;
  readonly at: number;
  /** Whether it may be taken for the truth: one that may not can raise an alarm, but ends none. */
  readonly isBelievable: boolean;
}

export type EpisodeChange = 'none' | 'raised' | 'worse' | 'cleared';

export const QUIET: EpisodeState = { phase: 'quiet' };

/** The state after a reading, and what has happened to the episode by it. */
export function afterReading(
  state: EpisodeState,
  { value, at, isBelievable }: EpisodeReading,
  limit: AlarmLimit,
): { readonly state: EpisodeState; readonly change: EpisodeChange } {
  const isAbove = value >= limit.from;
  const isCalm = !isAbove && value <= limit.from - limit.hysteresis;
  if (state.phase === 'active') {
    if (!isCalm) {
      // By the width of the hysteresis: noise that creeps up is no news.
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
    // Noted while the clock was ahead: a delay must not become longer by it.
    const known = state.phase === 'pending' && state.since <= at ? state : null;
    const since = known?.since ?? at;
    if (at - since >= limit.delaySeconds * 1000)
      return { state: { phase: 'active', worst: value, calmSince: null }, change: 'raised' };
    return { state: known ?? { phase: 'pending', since }, change: 'none' };
  }
  // What dips below the limit without being calm has not ended what began.
  if (state.phase === 'pending' && isCalm) return { state: QUIET, change: 'none' };
  return { state, change: 'none' };
}
