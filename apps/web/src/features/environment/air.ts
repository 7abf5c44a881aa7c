/** Evaluates readings: stale values by the page clock, and the air of areas with several sensors. Pure. */
import {
  isCurrent,
  QUANTITIES,
  type Quantity,
  type ReadingMessage,
  type Truth,
} from '@haris/contract/live/readings';

export interface Value {
  /** Null if no value was received. */
  readonly value: number | null;
  readonly truth: Truth;
}

export type Air = { readonly [Q in Quantity]: Value };

export interface AreaAir {
  readonly area: string;
  readonly air: Air;
  /** Time of the newest value, ISO 8601. */
  readonly at: string;
}

export const NO_AIR: Air = {
  temperature: { value: null, truth: 'none' },
  humidity: { value: null, truth: 'none' },
  mq2: { value: null, truth: 'none' },
};

/**
 * State of a value at `now` (epoch milliseconds): stale after `freshUntil`, even if the server last sent it as current.
 */
export function truthAt(truth: Truth, freshUntil: string | null, now: number): Truth {
  const isLate = freshUntil !== null && now > Date.parse(freshUntil);
  return isLate && (isCurrent(truth) || truth === 'stuck') ? 'stale' : truth;
}

/** Rank for choosing among several sensors in an area: the most trustworthy value wins. */
const TRUST: Readonly<Record<Truth, number>> = {
  live: 5,
  warming_up: 4,
  stuck: 3,
  stale: 2,
  offline: 1,
  none: 0,
};

/** The air of each area, sorted by name. With several sensors in one area, each value comes from the most trustworthy one. */
export function airByArea(messages: Iterable<ReadingMessage>, now: number): AreaAir[] {
  const areas = new Map<string, AreaAir>();
  for (const message of messages) {
    const before = areas.get(message.area);
    const air = { ...(before?.air ?? NO_AIR) };
    for (const quantity of QUANTITIES) {
      const truth = truthAt(message.truth[quantity], message.freshUntil[quantity], now);
      const known = air[quantity];
      const isBetter =
        TRUST[truth] > TRUST[known.truth] ||
        (TRUST[truth] === TRUST[known.truth] && before !== undefined && message.at > before.at);
      if (message[quantity] !== null && isBetter) air[quantity] = { value: message[quantity], truth };
    }
    const at = before && before.at > message.at ? before.at : message.at;
    areas.set(message.area, { area: message.area, air, at });
  }
  return [...areas.values()].sort((a, b) => a.area.localeCompare(b.area));
}

/**
 * The latest moment up to `now` at which a value became stale; 0 if there is none. Between two such moments {@link
 * airByArea} returns the same result. Epoch milliseconds.
 */
export function latestExpiry(messages: Iterable<ReadingMessage>, now: number): number {
  let latest = 0;
  for (const { freshUntil } of messages) {
    for (const quantity of QUANTITIES) {
      const until = freshUntil[quantity];
      const staleFrom = until === null ? Number.POSITIVE_INFINITY : Date.parse(until) + 1;
      if (staleFrom <= now) latest = Math.max(latest, staleFrom);
    }
  }
  return latest;
}

export interface Point {
  readonly at: string;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
}

/** Reduces a series to at most `most` points: neighbours merge into mean, minimum and maximum, so no peak is lost. */
export function thinOut(points: readonly Point[], most: number): Point[] {
  if (points.length <= most) return [...points];
  const size = Math.ceil(points.length / most);
  const thinned: Point[] = [];
  for (let from = 0; from < points.length; from += size) {
    const group = points.slice(from, from + size);
    const [first] = group;
    if (!first) break;
    thinned.push({
      at: first.at,
      mean: group.reduce((sum, { mean }) => sum + mean, 0) / group.length,
      min: Math.min(...group.map(({ min }) => min)),
      max: Math.max(...group.map(({ max }) => max)),
    });
  }
  return thinned;
}
