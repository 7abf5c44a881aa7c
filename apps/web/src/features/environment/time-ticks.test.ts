/** The marks of a chart's time axis, in a zone that no machine of ours is in. */
import { TZDate } from '@date-fns/tz';
import { expect, test } from 'vitest';
import { timeTicks } from './time-ticks.ts';

const ZONE = 'Pacific/Auckland';
/** `text` is a time in Auckland, `2026-03-10T09:47`. */
function at(text: string): number {
  const [year = 0, month = 1, day, hour, minute] = text.split(/\D/).map(Number);
  return new TZDate(year, month - 1, day ?? 1, hour ?? 0, minute ?? 0, ZONE).getTime();
}
const local = (tick: number) => new TZDate(tick, ZONE);

test('of a day: every four hours on the clock', () => {
  const ticks = timeTicks(at('2026-03-10T09:47'), at('2026-03-11T09:42'), 'day', ZONE);
  expect(ticks).toEqual(
    ['10T12:00', '10T16:00', '10T20:00', '11T00:00', '11T04:00', '11T08:00'].map((part) =>
      at(`2026-03-${part}`),
    ),
  );
});

test('of a week: each midnight', () => {
  const ticks = timeTicks(at('2026-03-10T09:47'), at('2026-03-17T09:42'), 'week', ZONE);
  expect(ticks.map((tick) => local(tick).getHours())).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

test('of a month: every fifth midnight', () => {
  const ticks = timeTicks(at('2026-03-01T00:00'), at('2026-03-31T12:00'), 'month', ZONE);
  expect(ticks.map((tick) => local(tick).getDate())).toEqual([1, 6, 11, 16, 21, 26, 31]);
});

test('one moment alone has none beside it', () => {
  expect(timeTicks(at('2026-03-10T09:47'), at('2026-03-10T09:47'), 'day', ZONE)).toEqual([]);
});

test('a day on which the clocks change has marks at the same hours', () => {
  const ticks = timeTicks(at('2026-04-05T00:00'), at('2026-04-05T23:00'), 'day', ZONE);
  expect(ticks.map((tick) => local(tick).getHours())).toEqual([0, 4, 8, 12, 16, 20]);
});
