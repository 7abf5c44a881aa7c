/** Quiet hours: pure arithmetic in the person's time zone. */
import type { QuietHours } from '@haris/contract/notifications';
import { Temporal } from 'temporal-polyfill';

/** The end of the quiet hours that contain `now`, in milliseconds since 1970; null outside quiet hours. */
export function quietUntil(hours: QuietHours | null, now: number): number | null {
  if (!hours) return null;
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(hours.timeZone);
  const from = Temporal.PlainTime.from(hours.from);
  const to = Temporal.PlainTime.from(hours.to);
  const time = local.toPlainTime();
  const isAfter = (a: Temporal.PlainTime, b: Temporal.PlainTime) => Temporal.PlainTime.compare(a, b) >= 0;
  const overMidnight = !isAfter(to, from) || from.equals(to);
  const isQuiet = overMidnight
    ? isAfter(time, from) || !isAfter(time, to)
    : isAfter(time, from) && !isAfter(time, to);
  if (!isQuiet) return null;
  const endsToday = !isAfter(time, to);
  const day = endsToday ? local.toPlainDate() : local.toPlainDate().add({ days: 1 });
  return day.toZonedDateTime({ timeZone: hours.timeZone, plainTime: to }).epochMilliseconds;
}
