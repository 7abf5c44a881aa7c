/** How far a sensor's values may be believed at a moment: a state that readings move, seen by a clock. Pure. */
import type { SensorKind } from '@haris/contract/http/sensors';
import {
  MQ2_WARM_UP_MS,
  QUANTITIES,
  type Quantity,
  STALE_AFTER_PERIODS,
  STUCK_AFTER_MS,
  type Truth,
} from '@haris/contract/live/readings';
import type { Reading } from './decoders/decoded.ts';

/** Until two readings have shown it. Tasmota sends every five minutes unless told otherwise. Milliseconds. */
const PERIOD_GUESS_MS: Readonly<Record<SensorKind, number>> = {
  haris: 60_000,
  esphome: 60_000,
  tasmota: 300_000,
};
const PERIOD_MIN_MS = 1_000;
const PERIOD_MAX_MS = 3_600_000;
/** The period is the median of so many distances between readings. */
const DISTANCES_KEPT = 5;

export interface ValueState {
  readonly value: number;
  /** When it was received last. Milliseconds since 1970, as all moments here. */
  readonly at: number;
  /** Since when it has been the same without a gap. */
  readonly since: number;
  /** Distances between the last readings, the newest last. Milliseconds. */
  readonly distances: readonly number[];
}

export interface SensorState {
  readonly kind: SensorKind;
  /** As staff have set it; null: learnt. Milliseconds. */
  readonly setPeriodMs: number | null;
  /** What the device or its last will has said; null: nothing yet. */
  readonly online: boolean | null;
  /** When it came online; null: before we knew it. */
  readonly onlineAt: number | null;
  readonly values: { readonly [Q in Quantity]?: ValueState };
}

export function newSensorState(kind: SensorKind, setPeriodMs: number | null): SensorState {
  return { kind, setPeriodMs, online: null, onlineAt: null, values: {} };
}

/** The time between two readings that a value goes by now. Milliseconds. */
export function periodOf(state: SensorState, quantity: Quantity): number {
  if (state.setPeriodMs !== null) return state.setPeriodMs;
  const sorted = [...(state.values[quantity]?.distances ?? [])].sort((a, b) => a - b);
  const guess = PERIOD_GUESS_MS[state.kind];
  if (sorted.length < 2) return Math.max(guess, Math.min(PERIOD_MAX_MS, sorted[0] ?? 0));
  // Of two the smaller: the other may be an outage. Of more, the middle.
  const learnt = sorted[sorted.length === 2 ? 0 : Math.floor(sorted.length / 2)] ?? guess;
  return Math.min(PERIOD_MAX_MS, Math.max(PERIOD_MIN_MS, learnt));
}

/** The last moment at which a value is not stale; null where there is none. */
export function freshUntil(state: SensorState, quantity: Quantity): number | null {
  const value = state.values[quantity];
  return value ? value.at + STALE_AFTER_PERIODS * periodOf(state, quantity) : null;
}

/** The state after a reading. A device that sends is online, whatever it said before. */
export function withReading(state: SensorState, reading: Reading, at: number): SensorState {
  const values: { [Q in Quantity]?: ValueState } = { ...state.values };
  const wasSilent = QUANTITIES.every(
    (quantity) => (freshUntil(state, quantity) ?? Number.NEGATIVE_INFINITY) < at,
  );
  // Without word from the device, one that was silent for long has been away.
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
        // What comes at once is one reading in parts, or the same one again.
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

/** The state after `online` or `offline`. `retained`: the broker has kept it, and when it was said is not known. */
export function withAvailability(
  state: SensorState,
  online: boolean,
  at: number,
  { retained = false } = {},
): SensorState {
  if (!online) return { ...state, online: false };
  return { ...state, online: true, onlineAt: state.online === true || retained ? state.onlineAt : at };
}

/** How far a value may be believed at `now`. */
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

/** From what may be believed least. */
const WORST_FIRST: readonly Truth[] = ['offline', 'stale', 'stuck', 'warming_up', 'live'];

/** The least of a sensor's truths; what it has never sent does not count. */
export function overallTruth(state: SensorState, now: number): Truth {
  if (state.online === false) return 'offline';
  const truths = QUANTITIES.map((quantity) => truthOf(state, quantity, now));
  return WORST_FIRST.find((truth) => truths.includes(truth)) ?? 'none';
}

/** A sensor for whoever asks only whether it is there. `periodMs`: the longest of its values. */
export function sensorLifeOf(
  {
    row,
    state,
  }: { readonly row: { readonly id: string; readonly area: string }; readonly state: SensorState },
  now: number,
): { id: string; area: string; truth: Truth; periodMs: number } {
  const received = QUANTITIES.filter((quantity) => state.values[quantity]);
  const periodMs = Math.max(
    ...(received.length > 0 ? received : QUANTITIES).map((quantity) => periodOf(state, quantity)),
  );
  return { id: row.id, area: row.area, truth: overallTruth(state, now), periodMs };
}
