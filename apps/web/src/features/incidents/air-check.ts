/**
 * The page's own check of the air (spec §4), a backup for the server's: it uses the readings of `/ws`, so it still
 * works when the event stream is down. Pure; makes no calls.
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

/** Limits in force in an area: the settings, or the defaults if this account may not read them. */
export type LimitOf = (kind: AirKind, area: string) => AlarmLimit;

/**
 * One continuous run of a condition in one area. It begins with the first value at or above the limit. Before it is
 * raised, it ends as soon as the value is below the limit. Once raised, it ends when somebody has acknowledged it and
 * the value is `hysteresis` below the limit.
 */
export interface AirIncident {
  readonly kind: AirKind;
  readonly area: string;
  /** The highest current value of the area. */
  readonly value: number;
  /** The limit that the value reached. */
  readonly limit: number;
  /** When the page first saw the condition, in epoch milliseconds of the server's clock. */
  readonly since: number;
  /** True once the condition has lasted for the configured delay. */
  readonly isRaised: boolean;
  readonly acknowledgedAt: number | null;
  /** True if the value is back below the limit. */
  readonly isOver: boolean;
}

/** The page's findings, keyed by {@link airKey}. */
export type AirIncidents = ReadonlyMap<string, AirIncident>;

export function airKey(kind: string, area: string): string {
  return `${kind}/${area}`;
}

/**
 * The highest value of each area at `now`. Values of a gas sensor that is warming up and frozen values count too,
 * because a false incident is better than a missed one. Stale values are ignored: they prove neither danger nor its
 * end.
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

/** Applies one check to the incidents; returns the same object if nothing has changed. */
export function checkAir(
  incidents: AirIncidents,
  kind: AirKind,
  readings: Iterable<ReadingMessage>,
  now: number,
  limitOf: LimitOf,
): AirIncidents {
  const next = new Map(incidents);
  let isChanged = false;
  for (const [area, value] of highestByArea(AIR_CHECKS[kind].quantity, readings, now)) {
    const key = airKey(kind, area);
    const known = next.get(key);
    const found = stepOf(known, { kind, area, value }, now, limitOf(kind, area));
    if (found === known) continue;
    if (found === undefined) next.delete(key);
    else next.set(key, found);
    isChanged = true;
  }
  return isChanged ? next : incidents;
}

/**
 * The next state of one incident; undefined if there is none. An acknowledged incident ends only `hysteresis` below the
 * limit, so that noise around the limit does not open a new one each time.
 */
function stepOf(
  known: AirIncident | undefined,
  seen: Pick<AirIncident, 'kind' | 'area' | 'value'>,
  now: number,
  { from, hysteresis, delaySeconds }: AlarmLimit,
): AirIncident | undefined {
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

/** Acknowledges the page's own incident only; `now` is in epoch milliseconds of the server's clock. */
export function acknowledgeAir(incidents: AirIncidents, key: string, now: number): AirIncidents {
  const known = incidents.get(key);
  if (known === undefined || known.acknowledgedAt !== null) return incidents;
  return new Map(incidents).set(key, { ...known, acknowledgedAt: now });
}
