/** Judges whether a sensor's values are current, stale, offline or warming up, from a state that readings update. Pure. */
import type { SensorKind } from '@haris/contract/http/sensors';
import {
  MQ2_WARM_UP_MS,
  QUANTITIES,
  type Quantity,
  STALE_AFTER_PERIODS,
  STUCK_AFTER_MS,
  type Truth,
  worstTruth,
} from '@haris/contract/live/readings';
import type { Reading } from './decoders/decoded.ts';

/** Assumed period until readings show the real one. Tasmota's default is five minutes. Milliseconds. */
const PERIOD_GUESS_MS: Readonly<Record<SensorKind, number>> = {
  haris: 60_000,
  esphome: 60_000,
  tasmota: 300_000,
};
const PERIOD_MIN_MS = 1_000;
const PERIOD_MAX_MS = 3_600_000;
/** Number of distances between readings whose median is the period. */
const DISTANCES_KEPT = 5;

export interface ValueState {
  readonly value: number;
  /** When the value was last received. Milliseconds since 1970, like all times here. */
  readonly at: number;
  /** Time since which the value has been constant without a gap. */
  readonly since: number;
  /** Distances between the latest readings, newest last. Milliseconds. */
  readonly distances: readonly number[];
}

export interface SensorState {
  readonly kind: SensorKind;
  /** Period that staff set; null if it is learnt. Milliseconds. */
  readonly setPeriodMs: number | null;
  /** Last availability from the device or its last will; null if there was none yet. */
  readonly online: boolean | null;
  /** When the device came online; null if that was before this server received its messages. */
  readonly onlineAt: number | null;
  readonly values: { readonly [Q in Quantity]?: ValueState };
}

export function newSensorState(kind: SensorKind, setPeriodMs: number | null): SensorState {
  return { kind, setPeriodMs, online: null, onlineAt: null, values: {} };
}

/** The expected time between two readings of a value. Milliseconds. */
export function periodOf(state: SensorState, quantity: Quantity): number {
  if (state.setPeriodMs !== null) return state.setPeriodMs;
  const sorted = [...(state.values[quantity]?.distances ?? [])].sort((a, b) => a - b);
  const guess = PERIOD_GUESS_MS[state.kind];
  if (sorted.length < 2) return Math.max(guess, Math.min(PERIOD_MAX_MS, sorted[0] ?? 0));
  // Take the smaller of two distances, because the larger may be an outage; take the median of three or more.
  const learnt = sorted[sorted.length === 2 ? 0 : Math.floor(sorted.length / 2)] ?? guess;
  return Math.min(PERIOD_MAX_MS, Math.max(PERIOD_MIN_MS, learnt));
}

/** The last moment at which a value is not stale; null if there is no value. */
export function freshUntil(state: SensorState, quantity: Quantity): number | null {
  const value = state.values[quantity];
  return value ? value.at + STALE_AFTER_PERIODS * periodOf(state, quantity) : null;
}

/** Returns the state after a reading. A device that sends readings is online, even if its last message was `offline`. */
export function withReading(state: SensorState, reading: Reading, at: number): SensorState {
  const values: { [Q in Quantity]?: ValueState } = { ...state.values };
  const wasSilent = QUANTITIES.every(
    (quantity) => (freshUntil(state, quantity) ?? Number.NEGATIVE_INFINITY) < at,
  );
  // A device that sends no availability messages has been offline if all its values were stale.
  const cameBack = state.online === false || (state.online === null && wasSilent);
  for (const quantity of QUANTITIES) {
    const value = reading[quantity];
    if (value === undefined) continue;
    const before = state.values[quantity];
    const hadGap = before !== undefined && at > (freshUntil(state, quantity) ?? at);
    values[quantity] = {
      value,
      at,
      since: before !== undefined && before.value === value && !hadGap ? before.since : at,
      distances:
        // Messages close together are parts of one reading, or repeat it.
        before === undefined || at - before.at < PERIOD_MIN_MS
          ? (before?.distances ?? [])
          : [...before.distances, at - before.at].slice(-DISTANCES_KEPT),
    };
  }
  return {
    ...state,
    values,
    online: state.online === false ? true : state.online,
    onlineAt: cameBack ? at : state.onlineAt,
  };
}

/** Returns the state after `online` or `offline`. `retained`: the broker had retained the message, so its age is unknown. */
export function withAvailability(
  state: SensorState,
  online: boolean,
  at: number,
  { retained = false } = {},
): SensorState {
  if (!online) return { ...state, online: false };
  return { ...state, online: true, onlineAt: state.online === true || retained ? state.onlineAt : at };
}

/** Truth of a value at `now`. */
export function truthOf(state: SensorState, quantity: Quantity, now: number): Truth {
  const value = state.values[quantity];
  if (value === undefined) return 'none';
  if (state.online === false) return 'offline';
  if (now > (freshUntil(state, quantity) ?? now)) return 'stale';
  if (quantity === 'mq2' && state.onlineAt !== null && now < state.onlineAt + MQ2_WARM_UP_MS)
    return 'warming_up';
  if (value.at - value.since >= STUCK_AFTER_MS) return 'stuck';
  return 'live';
}

/** Worst truth of a sensor's values. Quantities that the sensor has never sent do not count. */
export function overallTruth(state: SensorState, now: number): Truth {
  if (state.online === false) return 'offline';
  return worstTruth(QUANTITIES.map((quantity) => truthOf(state, quantity, now)));
}

/** State of a sensor as the incidents need it. `periodMs`: the longest period of its values. */
export function sensorLifeOf(
  {
    row,
    state,
  }: {
    readonly row: { readonly id: string; readonly facility_id: string; readonly area: string };
    readonly state: SensorState;
  },
  now: number,
): { id: string; facility: string; area: string; truth: Truth; periodMs: number } {
  const received = QUANTITIES.filter((quantity) => state.values[quantity]);
  const periodMs = Math.max(
    ...(received.length > 0 ? received : QUANTITIES).map((quantity) => periodOf(state, quantity)),
  );
  return { id: row.id, facility: row.facility_id, area: row.area, truth: overallTruth(state, now), periodMs };
}
