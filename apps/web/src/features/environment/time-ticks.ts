/** Where the time axis of a chart is marked: on whole hours and midnights of the clock that its reader lives by. */
import type { Span } from './api.ts';

/** Hours between two marks. */
const STEPS: Readonly<Record<Span, number>> = { day: 4, week: 24, month: 5 * 24 };

/** Marks from `first` to `last`, all of them milliseconds; by the browser's time zone. Pure but for that. */
export function timeTicks(first: number, last: number, span: Span): number[] {
  const step = STEPS[span];
  const ticks: number[] = [];
  // From a midnight on, by the clock and not by its length: a day in which the clock is changed has another one.
  const mark = new Date(first);
  mark.setHours(0, 0, 0, 0);
  while (mark.getTime() <= last) {
    if (mark.getTime() >= first) ticks.push(mark.getTime());
    mark.setHours(mark.getHours() + step);
  }
  return ticks;
}
