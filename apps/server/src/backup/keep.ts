/** Names of nightly backups, and which of them are kept: 7 days, 4 weeks, 12 months. Pure. */
import { Temporal } from 'temporal-polyfill';
import { wallClock } from '../calendar.ts';

const NAME = /^haris-(\d{4}-\d{2}-\d{2})-\d{6}\.backup$/;

/** The name of a backup that is made now, by the facility's clock: `haris-2026-11-27-023000.backup`. */
export function backupName(now: number, timeZone: string): string {
  const [day, time = ''] = wallClock(now, timeZone).split(' ');
  return `haris-${day}-${time.replaceAll(':', '')}.backup`;
}

/** The day in a name of {@link backupName}; null for every other name. */
function dayOfName(name: string): Temporal.PlainDate | null {
  const day = NAME.exec(name)?.[1];
  if (day === undefined) return null;
  try {
    return Temporal.PlainDate.from(day);
  } catch {
    return null;
  }
}

/** Whether it is the name of a nightly backup that was not finished. */
export function isUnfinished(name: string): boolean {
  return name.endsWith('.part') && dayOfName(name.slice(0, -'.part'.length)) !== null;
}

/** The newest backup of each of the last so many periods that have one is kept. */
const KEPT: readonly { readonly count: number; readonly periodOf: (day: Temporal.PlainDate) => string }[] = [
  { count: 7, periodOf: (day) => day.toString() },
  // By its Monday.
  { count: 4, periodOf: (day) => day.subtract({ days: day.dayOfWeek - 1 }).toString() },
  { count: 12, periodOf: (day) => day.toPlainYearMonth().toString() },
];

/**
 * The backups among `names` that are no longer needed, never `made`, nor a later one, nor a file with another name. Periods
 * count only if they have a backup, and the current time counts nothing: after a long pause, or with a clock that is far
 * ahead, everything that is left is kept. Names later than `made` are of a clock that was ahead: they do not count, or they
 * would take the place of the real ones.
 */
export function chooseOld(names: readonly string[], made: string): string[] {
  const own = names
    .flatMap((name) => {
      const day = dayOfName(name);
      return day === null || name > made ? [] : [{ name, day }];
    })
    .sort((a, b) => (a.name < b.name ? 1 : -1));
  const kept = new Set([made]);
  for (const { count, periodOf } of KEPT) {
    const periods = new Set<string>();
    for (const { name, day } of own) {
      const period = periodOf(day);
      if (periods.has(period)) continue;
      if (periods.size === count) break;
      periods.add(period);
      kept.add(name);
    }
  }
  return own.filter(({ name }) => !kept.has(name)).map(({ name }) => name);
}
