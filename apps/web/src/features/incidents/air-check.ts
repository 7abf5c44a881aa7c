/**
 * The page's own check of the air (spec §4): the second line behind the server, which works on what `/ws` says when the
 * stream of events is down. Pure; knows no call and no React.
 */
import type { AlarmLimit } from '@haris/contract/alarms';
import { AIR_CHECK_MS, TEMPERATURE_CHECK_MS } from '@haris/contract/constants';
import type { Quantity, ReadingMessage } from '@haris/contract/live/readings';

export type AirKind = 'temperature' | 'air';

interface AirCheck {
  readonly quantity: Quantity;
  readonly everyMs: number;
}

export const AIR_CHECKS: Readonly<Record<AirKind, AirCheck>> = {
  temperature: { quantity: 'temperature', everyMs: TEMPERATURE_CHECK_MS },
  air: { quantity: 'mq2', everyMs: AIR_CHECK_MS },
};

/** What counts in an area: the settings, or the defaults where the page does not know them. */
export type LimitOf = (kind: AirKind, area: string) => AlarmLimit;

/** One episode in one area, from the first value over the limit until it is acknowledged and over. */
export interface AirAlarm {
  readonly kind: AirKind;
  readonly area: string;
  /** The highest current value of the area. */
  readonly value: number;
  /** The limit that it broke. */
  readonly limit: number;
  /** Epoch milliseconds of the server's clock at which the page found it. */
  readonly since: number;
  /** It has lasted as long as the settings want before anybody is told. */
  readonly isRaised: boolean;
  readonly acknowledgedAt: number | null;
  /** The air is back below the limit. */
  readonly isOver: boolean;
}

/** By {@link alarmKey}. */
export type AirAlarms = ReadonlyMap<string, AirAlarm>;

export function alarmKey(kind: string, area: string): string {
  return `${kind}/${area}`;
}

/**
 * The highest value per area that still counts at `now`. A gas sensor that heats up and a value that does not change
 * count too: an alarm too many is the lesser evil. What is stale says nothing, neither danger nor its end.
 */
function highestByArea(
  quantity: Quantity,
  readings: Iterable<ReadingMessage>,
  now: number,
): Map<string, number> {
  const highest = new Map<string, number>();
  for (const { area, [quantity]: value, truth, freshUntil } of readings) {
    const until = freshUntil[quantity];
    const isPast = truth[quantity] === 'stale' || truth[quantity] === 'offline';
    if (value === null || isPast || (until !== null && now > Date.parse(until))) continue;
    highest.set(area, Math.max(value, highest.get(area) ?? value));
  }
  return highest;
}

/** What one check makes of the alarms; the same object when nothing has changed. */
export function checkAir(
  alarms: AirAlarms,
  kind: AirKind,
  readings: Iterable<ReadingMessage>,
  now: number,
  limitOf: LimitOf,
): AirAlarms {
  const next = new Map(alarms);
  let isChanged = false;
  for (const [area, value] of highestByArea(AIR_CHECKS[kind].quantity, readings, now)) {
    const key = alarmKey(kind, area);
    const known = next.get(key);
    const found = stepOf(known, { kind, area, value }, now, limitOf(kind, area));
    if (found === known) continue;
    if (found === undefined) next.delete(key);
    else next.set(key, found);
    isChanged = true;
  }
  return isChanged ? next : alarms;
}

/** An episode that was acknowledged ends `hysteresis` below the limit: noise around it is one alarm, not forty. */
function stepOf(
  known: AirAlarm | undefined,
  seen: Pick<AirAlarm, 'kind' | 'area' | 'value'>,
  now: number,
  { from, hysteresis, delaySeconds }: AlarmLimit,
): AirAlarm | undefined {
  const isOver = seen.value < from;
  const isRaised = (since: number) => !isOver && now - since >= delaySeconds * 1000;
  if (known === undefined)
    return isOver
      ? undefined
      : { ...seen, limit: from, since: now, isRaised: isRaised(now), acknowledgedAt: null, isOver };
  if (isOver && !known.isRaised) return undefined;
  if (known.acknowledgedAt !== null && seen.value <= from - hysteresis) return undefined;
  const next = { ...known, ...seen, limit: from, isOver, isRaised: known.isRaised || isRaised(known.since) };
  const isSame =
    next.value === known.value &&
    next.limit === known.limit &&
    next.isOver === known.isOver &&
    next.isRaised === known.isRaised;
  return isSame ? known : next;
}

/** Closes this one and no other; `now` in epoch milliseconds of the server's clock. */
export function acknowledgeAir(alarms: AirAlarms, key: string, now: number): AirAlarms {
  const known = alarms.get(key);
  if (known === undefined || known.acknowledgedAt !== null) return alarms;
  return new Map(alarms).set(key, { ...known, acknowledgedAt: now });
}
