import { describe, expect, it } from 'vitest';
import { NO_AIR } from './air.ts';
import { levelOf } from './air-level.ts';

const limits = { temperature: 40, mq2: 1000 };
const air = (mq2: number | null, temperature: number | null = null) => ({
  ...NO_AIR,
  mq2: { value: mq2, truth: mq2 === null ? ('none' as const) : ('live' as const) },
  temperature: { value: temperature, truth: temperature === null ? ('none' as const) : ('live' as const) },
});

describe('levelOf', () => {
  it.each([
    [0, 'good'],
    [799, 'good'],
    [800, 'fair'],
    [999, 'fair'],
    [1000, 'bad'],
  ] as const)('gas of %d: %s', (gas, level) => {
    expect(levelOf(air(gas, 23), limits)).toBe(level);
  });

  it('the temperature alone can make it fair or bad, never good', () => {
    expect(levelOf(air(null, 23), limits)).toBe('unknown');
    expect(levelOf(air(null, 35), limits)).toBe('fair');
    expect(levelOf(air(null, 40), limits)).toBe('bad');
    expect(levelOf(air(100, 41), limits)).toBe('bad');
  });

  it('a value that is not live does not count', () => {
    for (const truth of ['stale', 'offline', 'stuck', 'warming_up', 'none'] as const) {
      expect(levelOf({ ...air(100, 23), mq2: { value: 100, truth } }, limits)).toBe('unknown');
      expect(levelOf({ ...air(100, 23), mq2: { value: 1500, truth } }, limits)).toBe('unknown');
    }
  });

  it('is unknown without limits', () => {
    expect(levelOf(air(100, 23), null)).toBe('unknown');
  });
});
