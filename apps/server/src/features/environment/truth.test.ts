/** How long values are trusted as time passes. */
import { QUANTITIES } from '@haris/contract/live/readings';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  freshUntil,
  newSensorState,
  overallTruth,
  periodOf,
  type SensorState,
  truthOf,
  withAvailability,
  withReading,
} from './truth.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const START = Date.parse('2026-11-20T08:00:00.000Z');

/** Readings every `every` ms from `from` on; the value is made from the index. */
function feed(
  state: SensorState,
  from: number,
  every: number,
  count: number,
  value: (index: number) => number,
) {
  let fed = state;
  for (let index = 0; index < count; index++)
    fed = withReading(fed, { temperature: value(index), mq2: 100 + (index % 7) }, from + index * every);
  return { state: fed, last: from + (count - 1) * every };
}

test('nothing received: none', () => {
  const state = newSensorState('haris', null);
  for (const quantity of QUANTITIES) expect(truthOf(state, quantity, START)).toBe('none');
  expect(overallTruth(state, START)).toBe('none');
});

describe('stale', () => {
  test('after three periods that were learnt, to the millisecond', () => {
    const { state, last } = feed(newSensorState('haris', null), START, 10 * SECOND, 5, (index) => 20 + index);
    expect(periodOf(state, 'temperature')).toBe(10 * SECOND);
    expect(truthOf(state, 'temperature', last + 30 * SECOND)).toBe('live');
    expect(truthOf(state, 'temperature', last + 30 * SECOND + 1)).toBe('stale');
    expect(freshUntil(state, 'temperature')).toBe(last + 30 * SECOND);
  });

  test('after three periods that staff have set, whatever was learnt', () => {
    const { state, last } = feed(
      newSensorState('haris', 60 * SECOND),
      START,
      10 * SECOND,
      5,
      (index) => index,
    );
    expect(truthOf(state, 'temperature', last + 3 * MINUTE)).toBe('live');
    expect(truthOf(state, 'temperature', last + 3 * MINUTE + 1)).toBe('stale');
  });

  test('one outage does not make the period longer', () => {
    const first = feed(newSensorState('haris', null), START, 10 * SECOND, 4, (index) => index);
    const second = feed(first.state, first.last + HOUR, 10 * SECOND, 3, (index) => index);
    expect(periodOf(second.state, 'temperature')).toBe(10 * SECOND);
  });

  test('a message in parts does not make it shorter', () => {
    let { state, last } = feed(newSensorState('haris', null), START, 10 * SECOND, 4, (index) => index);
    for (let burst = 1; burst <= 8; burst++)
      state = withReading(state, { temperature: burst }, last + burst * 20);
    expect(periodOf(state, 'temperature')).toBe(10 * SECOND);
  });

  test('each value by itself', () => {
    let state = newSensorState('haris', 10 * SECOND);
    state = withReading(state, { temperature: 20, humidity: 40 }, START);
    state = withReading(state, { temperature: 21 }, START + 25 * SECOND);
    expect(truthOf(state, 'temperature', START + 40 * SECOND)).toBe('live');
    expect(truthOf(state, 'humidity', START + 40 * SECOND)).toBe('stale');
    expect(overallTruth(state, START + 40 * SECOND)).toBe('stale');
  });
});

describe('warming up', () => {
  test('the MQ-2 for three minutes after the device came online, and nothing else', () => {
    let state = withAvailability(newSensorState('haris', 10 * SECOND), true, START);
    state = withReading(state, { temperature: 20, mq2: 900 }, START + 175 * SECOND);
    expect(truthOf(state, 'mq2', START + 3 * MINUTE - 1)).toBe('warming_up');
    expect(truthOf(state, 'temperature', START + 3 * MINUTE - 1)).toBe('live');
    expect(truthOf(state, 'mq2', START + 3 * MINUTE)).toBe('live');
  });

  test('again after an outage, by word of the last will or by silence', () => {
    let told = withReading(
      withAvailability(newSensorState('haris', 10 * SECOND), true, START),
      { mq2: 1 },
      START,
    );
    told = withAvailability(told, false, START + HOUR);
    told = withReading(withAvailability(told, true, START + 2 * HOUR), { mq2: 2 }, START + 2 * HOUR);
    expect(truthOf(told, 'mq2', START + 2 * HOUR)).toBe('warming_up');

    let silent = withReading(newSensorState('haris', 10 * SECOND), { mq2: 1 }, START);
    expect(truthOf(silent, 'mq2', START)).toBe('warming_up');
    silent = withReading(silent, { mq2: 2 }, START + 2 * HOUR);
    expect(truthOf(silent, 'mq2', START + 2 * HOUR)).toBe('warming_up');
  });

  test('not again for a device that says once more that it is online, nor for what the broker kept', () => {
    let state = withReading(
      withAvailability(newSensorState('haris', MINUTE), true, START),
      { mq2: 1 },
      START,
    );
    const later = START + 10 * MINUTE;
    state = withReading(withAvailability(state, true, later), { mq2: 2 }, later);
    expect(truthOf(state, 'mq2', later)).toBe('live');
    const kept = withReading(
      withAvailability(newSensorState('haris', MINUTE), true, START, { retained: true }),
      { mq2: 1 },
      START,
    );
    expect(truthOf(kept, 'mq2', START)).toBe('live');
  });
});

describe('stuck', () => {
  test('the same raw value for an hour, while readings come', () => {
    const { state, last } = feed(newSensorState('haris', null), START, MINUTE, 61, () => 21.5);
    expect(truthOf(state, 'temperature', last)).toBe('stuck');
    expect(truthOf(state, 'mq2', last)).toBe('live');
    const before = feed(newSensorState('haris', null), START, MINUTE, 60, () => 21.5);
    expect(truthOf(before.state, 'temperature', before.last)).toBe('live');
    expect(
      truthOf(withReading(state, { temperature: 21.6 }, last + MINUTE), 'temperature', last + MINUTE),
    ).toBe('live');
  });

  test('not because it is the same after an outage', () => {
    const first = withReading(newSensorState('haris', MINUTE), { temperature: 21.5 }, START);
    const after = withReading(first, { temperature: 21.5 }, START + 2 * HOUR);
    expect(truthOf(after, 'temperature', START + 2 * HOUR)).toBe('live');
  });
});

describe('offline', () => {
  test('by word of the device or its last will, before all else; a reading brings it back', () => {
    const { state, last } = feed(
      newSensorState('haris', 10 * SECOND),
      START,
      10 * SECOND,
      3,
      (index) => index,
    );
    const gone = withAvailability(state, false, last + SECOND);
    expect(truthOf(gone, 'temperature', last + SECOND)).toBe('offline');
    expect(truthOf(gone, 'temperature', last + HOUR)).toBe('offline');
    expect(truthOf(gone, 'humidity', last + HOUR)).toBe('none');
    const back = withReading(gone, { temperature: 5 }, last + HOUR);
    expect(truthOf(back, 'temperature', last + HOUR)).toBe('live');
    expect(truthOf(back, 'mq2', last + HOUR)).toBe('stale');
  });
});

test('a value is never live once its time is over, whatever came before', () => {
  const step = fc.oneof(
    fc.record({ after: fc.integer({ min: 0, max: 2 * HOUR }), value: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ after: fc.integer({ min: 0, max: 2 * HOUR }), online: fc.boolean() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 10 * HOUR }), (steps, later) => {
      let state = newSensorState('esphome', null);
      let now = START;
      for (const one of steps) {
        now += one.after;
        state =
          'value' in one
            ? withReading(state, { temperature: one.value, mq2: one.value }, now)
            : withAvailability(state, one.online, now);
      }
      for (const quantity of QUANTITIES) {
        const until = freshUntil(state, quantity);
        const truth = truthOf(state, quantity, until === null ? now + later : until + later);
        expect(['none', 'stale', 'offline']).toContain(truth);
      }
    }),
  );
});
