import { describe, expect, it } from 'vitest';
import { sparkPath } from './sparkline.ts';

const HOUR = 3_600_000;
const points = (...pairs: [minutes: number, mean: number][]) =>
  pairs.map(([minutes, mean]) => ({
    at: new Date(minutes * 60_000).toISOString(),
    mean,
    min: mean,
    max: mean,
  }));

describe('sparkPath', () => {
  it('runs over the whole time and the whole height', () => {
    expect(sparkPath(points([0, 20], [30, 30], [60, 20]), 0, HOUR, 1)).toBe('M0.0 22.0L50.0 2.0L100.0 22.0');
  });

  it('draws values that hardly differ as a line in the middle', () => {
    expect(sparkPath(points([0, 21], [30, 21]), 0, HOUR, 2)).toBe('M0.0 12.0L50.0 12.0');
  });

  it('is interrupted where readings are missing', () => {
    expect(sparkPath(points([0, 20], [31, 30], [60, 20]), 0, HOUR, 1)).toBe(
      'M0.0 22.0M50.0 2.0L100.0 22.0'.replace('50.0', '51.7'),
    );
  });

  it('is empty for fewer than two points', () => {
    expect(sparkPath([], 0, HOUR, 1)).toBe('');
    expect(sparkPath(points([0, 20]), 0, HOUR, 1)).toBe('');
  });
});
