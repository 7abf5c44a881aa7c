/** Local days and times of a time zone, also when its clocks change. Pure. Moments are milliseconds since 1970. */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Cached: a formatter is expensive to create. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** What the clocks show at a moment, as if they were in UTC, without milliseconds. Throws RangeError for an unknown time zone. */
function clockAt(moment: number, timeZone: string): number {
  const shown = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of formatOf(timeZone).formatToParts(moment))
    if (type in shown) shown[type as keyof typeof shown] = Number(value);
  return Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute, shown.second);
}

/** The local date `YYYY-MM-DD` at a moment. Throws RangeError for an unknown time zone. */
export function localDay(moment: number, timeZone: string): string {
  return new Date(clockAt(moment, timeZone)).toISOString().slice(0, 10);
}

/** The date after a date, both `YYYY-MM-DD`. */
export function nextDay(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}

/**
 * The moment at which clocks show a local time (`HH:MM`) of a day. Clocks that are set back show some times twice: `which`
 * chooses one. For a time that they skip, it is the moment at which they are set forward.
 */
export function momentAt(day: string, time: string, timeZone: string, which: 'first' | 'last'): number {
  const wanted = Date.parse(`${day}T${time}:00Z`);
  // The offsets before and after a change of that day.
  const offsets = [wanted - DAY_MS, wanted + DAY_MS].map((moment) => clockAt(moment, timeZone) - moment);
  const candidates = offsets.map((offset) => wanted - offset).sort((a, b) => a - b);
  const shown = candidates.filter((moment) => clockAt(moment, timeZone) === wanted);
  if (shown.length > 0) return (which === 'first' ? shown[0] : shown.at(-1)) ?? wanted;
  return changeBetween(candidates[0] ?? wanted, candidates.at(-1) ?? wanted, timeZone);
}

/** The first minute with the offset of `after`. Between the two moments, the clocks change once. */
function changeBetween(before: number, after: number, timeZone: string): number {
  const offset = clockAt(after, timeZone) - after;
  let [low, high] = [before, after];
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / MINUTE_MS / 2) * MINUTE_MS;
    if (clockAt(middle, timeZone) - middle === offset) high = middle;
    else low = middle;
  }
  return high;
}
