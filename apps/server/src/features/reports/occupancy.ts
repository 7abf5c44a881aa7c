/** Computes the number of children inside over time from their stays. Pure. */
import type { Presence } from '../../db/attendance.ts';

/** Milliseconds since 1970: `from` inclusive, `to` exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A number of children inside that holds from `at` to the next step. */
export interface Step {
  readonly at: number;
  readonly children: number;
}

/** Steps of the number of children inside, oldest first. An open stay lasts until `now`. */
export function stepsOf(presences: readonly Presence[], now: number): Step[] {
  const changes = new Map<number, number>();
  const change = (at: number, by: number) => changes.set(at, (changes.get(at) ?? 0) + by);
  for (const { entry_time: entry, exit_time: exit } of presences) {
    const end = exit ?? now;
    // A clock that was set back can have an exit before its entry: nobody was inside.
    if (end <= entry) continue;
    change(entry, 1);
    change(end, -1);
  }
  let children = 0;
  return [...changes]
    .toSorted(([a], [b]) => a - b)
    .map(([at, by]) => {
      children += by;
      return { at, children };
    });
}

/** The step with the most children within a span, the first of equal ones; null if nobody was inside. */
export function peakOf(steps: readonly Step[], { from, to }: Span): Step | null {
  let peak: Step | null = null;
  let before = 0;
  for (const { at, children } of steps) {
    if (at >= to) break;
    if (at <= from) {
      before = children;
      continue;
    }
    if (peak === null || children > peak.children) peak = { at, children };
  }
  if (before > 0 && before >= (peak?.children ?? 0)) return { at: from, children: before };
  return peak !== null && peak.children > 0 ? peak : null;
}

/** Spans of equal length from the first to the last step within `span`. */
export function spansOf(steps: readonly Step[], { from, to }: Span, lengthMs: number): Span[] {
  const within = steps.filter(({ at }) => at > from && at < to);
  const isInsideAtStart = peakOf(steps, { from, to: from + 1 }) !== null;
  const first = isInsideAtStart ? from : within[0]?.at;
  const last = within.at(-1);
  if (first === undefined) return [];
  const end = last === undefined || last.children > 0 ? to : last.at;
  const spans: Span[] = [];
  for (let at = from + Math.floor((first - from) / lengthMs) * lengthMs; at < end; at += lengthMs)
    spans.push({ from: at, to: Math.min(at + lengthMs, to) });
  return spans;
}
