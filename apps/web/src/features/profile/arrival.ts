/** Turns a typed time of day into the moment of arrival. Pure. */
import { PICKUP_AHEAD_MS } from '@haris/contract/constants';
import { nextMomentAt } from '../../countdown/next-moment.ts';

/**
 * The next moment at which the clocks of `timeZone` show `time` (`HH:MM`), in epoch milliseconds at a full minute; null
 * if it is not a time or too far ahead. The current minute counts as now.
 */
export function arrivalAt(time: string, now: number, timeZone: string): number | null {
  const at = nextMomentAt(time, now, timeZone);
  return at === null || at - now > PICKUP_AHEAD_MS ? null : at;
}
