/** The curve of children inside, in hours since midnight. */
import { describe, expect, test } from 'vitest';
import { peakOf, spansOf, stepsOf } from './occupancy.ts';

const HOUR = 3_600_000;
const at = (hours: number) => hours * HOUR;
const stay = (entry: number, exit: number | null, child = 'child') => ({
  child_id: child,
  entry_time: at(entry),
  exit_time: exit === null ? null : at(exit),
});
const day = { from: 0, to: at(24) };

describe('steps', () => {
  test('count those who are inside; a change of places counts once', () => {
    expect(stepsOf([stay(8, 10), stay(9, 11), stay(10, 12)], at(24))).toEqual([
      { at: at(8), children: 1 },
      { at: at(9), children: 2 },
      { at: at(10), children: 2 },
      { at: at(11), children: 1 },
      { at: at(12), children: 0 },
    ]);
  });

  test('an open stay lasts until now, and one that ends before it begins is none', () => {
    expect(stepsOf([stay(8, null), stay(9, 7)], at(10))).toEqual([
      { at: at(8), children: 1 },
      { at: at(10), children: 0 },
    ]);
  });
});

describe('the peak', () => {
  const steps = stepsOf([stay(-2, 9), stay(8, 10), stay(12, 13)], at(24));

  test('is the first moment with the most children', () => {
    expect(peakOf(steps, day)).toEqual({ at: at(8), children: 2 });
    expect(peakOf(steps, { from: at(9), to: at(24) })).toEqual({ at: at(9), children: 1 });
  });

  test('counts those who came before the span', () => {
    expect(peakOf(steps, { from: 0, to: at(1) })).toEqual({ at: 0, children: 1 });
    expect(peakOf(steps, { from: at(10), to: at(11) })).toBeNull();
    expect(peakOf([], day)).toBeNull();
  });
});

describe('the spans of a day', () => {
  test('go from the quarter of the first arrival to that of the last departure', () => {
    const spans = spansOf(stepsOf([stay(8.1, 8.6)], at(24)), day, HOUR / 4);
    expect(spans.map(({ from }) => from / HOUR)).toEqual([8, 8.25, 8.5]);
  });

  test('cover the whole day if a child stays over both midnights, and nothing without visits', () => {
    expect(spansOf(stepsOf([stay(-1, 30)], at(40)), day, HOUR)).toHaveLength(24);
    expect(spansOf([], day, HOUR)).toEqual([]);
  });
});
