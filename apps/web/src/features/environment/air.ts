/** What a page may show of readings: truth seen by its own clock, and the air of an area out of several sensors. Pure. */
import {
  isCurrent,
  QUANTITIES,
  type Quantity,
  type ReadingMessage,
  type Truth,
} from '@haris/contract/live/readings';

export interface Value {
  /** Null: nothing was received. */
  readonly value: number | null;
  readonly truth: Truth;
}

export type Air = { readonly [Q in Quantity]: Value };

export interface AreaAir {
  readonly area: string;
  readonly air: Air;
  /** The newest value's moment, ISO 8601. */
  readonly at: string;
}

export const NO_AIR: Air = {
  temperature: { value: null, truth: 'none' },
  humidity: { value: null, truth: 'none' },
  mq2: { value: null, truth: 'none' },
};

/** The truth of a value at `now` (milliseconds): what nobody has refreshed in time is stale, whatever was said before. */
export function truthAt(truth: Truth, freshUntil: string | null, now: number): Truth {
  const isLate = freshUntil !== null && now > Date.parse(freshUntil);
  return isLate && (isCurrent(truth) || truth === 'stuck') ? 'stale' : truth;
}

/** Which of two sensors in one area an area goes by: the one that may be believed more. */
const TRUST: Readonly<Record<Truth, number>> = {
  live: 5,
  warming_up: 4,
  stuck: 3,
  stale: 2,
  offline: 1,
  none: 0,
};

/** The air of each area, by name. Several sensors of one area are one: each value from the one that may be believed most. */
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

export interface Point {
  readonly at: string;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
}

/** At most `most` points: neighbours become one with their mean, least and most, so that no peak is lost. */
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
