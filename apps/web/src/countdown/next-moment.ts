/** Turns a time of day into the next moment at which clocks show it. Pure. */

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** Minutes since midnight in a time zone. */
function minuteOfDay(moment: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
  const [hour = 0, minute = 0] = format.format(moment).split(':').map(Number);
  return hour * 60 + minute;
}

/**
 * The next moment at which the clocks of `timeZone` show `time` (`HH:MM`), in epoch milliseconds at a full minute; null
 * if it is not a time. The current minute counts as now. A time that the clocks leave out is the one that they show
 * instead.
 */
export function nextMomentAt(time: string, now: number, timeZone: string): number | null {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  return nextMinuteOfDay(Number(hours) * 60 + Number(minutes), now, timeZone);
}

/** The next moment at which the clocks of `timeZone` show the same time of day as at `moment`; otherwise as {@link nextMomentAt}. */
export function nextMomentLike(moment: number, now: number, timeZone: string): number {
  return nextMinuteOfDay(minuteOfDay(moment, timeZone), now, timeZone);
}

/** `wanted`: minutes since midnight. */
function nextMinuteOfDay(wanted: number, now: number, timeZone: string): number {
  const ahead = (wanted - minuteOfDay(now, timeZone) + DAY_MINUTES) % DAY_MINUTES;
  const at = (Math.floor(now / MINUTE_MS) + ahead) * MINUTE_MS;
  // The clocks may change on the way: then they show a time up to some hours off.
  const late = ((minuteOfDay(at, timeZone) - wanted + 1.5 * DAY_MINUTES) % DAY_MINUTES) - 0.5 * DAY_MINUTES;
  const changed = at - late * MINUTE_MS;
  return minuteOfDay(changed, timeZone) === wanted ? changed : at;
}
