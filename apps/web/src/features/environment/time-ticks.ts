/** Positions of the marks on a chart's time axis: whole hours and midnights of the facility's time. */
import { TZDate } from '@date-fns/tz';
import type { Span } from './api.ts';

/** Hours between two marks. */
const STEPS: Readonly<Record<Span, number>> = { day: 4, week: 24, month: 5 * 24 };

/** Marks from `first` to `last`, all in epoch milliseconds, in an IANA time zone. */
export function timeTicks(first: number, last: number, span: Span, timeZone: string): number[] {
  const step = STEPS[span];
  const ticks: number[] = [];
  // Counts local hours from midnight, because a day with a clock change is not 24 hours long.
  const mark = new TZDate(first, timeZone);
  mark.setHours(0, 0, 0, 0);
  while (mark.getTime() <= last) {
    if (mark.getTime() >= first) ticks.push(mark.getTime());
    mark.setHours(mark.getHours() + step);
  }
  return ticks;
}
