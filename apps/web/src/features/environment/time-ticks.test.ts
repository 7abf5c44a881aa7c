/** The marks of a chart's time axis. */
import { expect, test } from 'vitest';
import { timeTicks } from './time-ticks.ts';

const at = (text: string) => new Date(text).getTime();

test('of a day: every four hours on the clock', () => {
  const ticks = timeTicks(at('2026-03-10T09:47'), at('2026-03-11T09:42'), 'day');
  expect(ticks).toEqual(
    ['10T12:00', '10T16:00', '10T20:00', '11T00:00', '11T04:00', '11T08:00'].map((part) =>
      at(`2026-03-${part}`),
    ),
  );
});

test('of a week: each midnight', () => {
  const ticks = timeTicks(at('2026-03-10T09:47'), at('2026-03-17T09:42'), 'week');
  expect(ticks.map((tick) => new Date(tick).getHours())).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

test('of a month: every fifth midnight', () => {
  const ticks = timeTicks(at('2026-03-01T00:00'), at('2026-03-31T12:00'), 'month');
  expect(ticks.map((tick) => new Date(tick).getDate())).toEqual([1, 6, 11, 16, 21, 26, 31]);
});

test('one moment alone has none beside it', () => {
  expect(timeTicks(at('2026-03-10T09:47'), at('2026-03-10T09:47'), 'day')).toEqual([]);
});
