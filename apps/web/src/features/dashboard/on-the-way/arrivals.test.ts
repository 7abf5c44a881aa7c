import { describe, expect, it } from 'vitest';
import { child } from '../../../testing/people.ts';
import { arrivalsOf, minutesUntil } from './arrivals.ts';

const at = (time: string, source: 'phone' | 'kiosk' = 'phone') => ({
  onMyWay: { arrivesAt: `2026-11-20T${time}:00.000Z`, announcedAt: '2026-11-20T10:00:00.000Z', source },
});

describe('arrivalsOf', () => {
  it('names siblings with the same time together, the earliest arrival first', () => {
    const sara = { parent: { _id: 'sara', name: 'Sara' } };
    const arrivals = arrivalsOf([
      child({ isInside: true, name: 'Omar', ...at('12:00') }),
      child({ isInside: true, name: 'Zeina', ...sara, ...at('11:00') }),
      child({ isInside: true, name: 'Adam', ...sara, ...at('11:00') }),
      child({ isInside: true, name: 'Nour', ...sara, ...at('11:30') }),
      child({ isInside: true, name: 'Layla' }),
    ]);
    expect(
      arrivals.map(({ parentName, children }) => [parentName, children.map(({ name }) => name)]),
    ).toEqual([
      ['Sara', ['Adam', 'Zeina']],
      ['Sara', ['Nour']],
      ['Mona Hassan', ['Omar']],
    ]);
  });

  it('names a further guardian who comes, apart from the family', () => {
    const way = at('11:00').onMyWay;
    const arrivals = arrivalsOf([
      child({ isInside: true, name: 'Adam', onMyWay: way }),
      child({ isInside: true, name: 'Zeina', onMyWay: { ...way, by: 'Tarek Hassan' } }),
    ]);
    expect(
      arrivals.map(({ parentName, children }) => [parentName, children.map(({ name }) => name)]).toSorted(),
    ).toEqual([
      ['Mona Hassan', ['Adam']],
      ['Tarek Hassan', ['Zeina']],
    ]);
  });

  it('keeps who stands at the kiosk apart', () => {
    const arrivals = arrivalsOf([
      child({ isInside: true, ...at('11:00') }),
      child({ isInside: true, ...at('11:00', 'kiosk') }),
    ]);
    expect(arrivals.map(({ isHere }) => isHere).toSorted()).toEqual([false, true]);
  });
});

describe('minutesUntil', () => {
  it('counts whole minutes, and past the time below zero', () => {
    expect(minutesUntil(600_000, 0)).toBe(10);
    expect(minutesUntil(59_999, 0)).toBe(0);
    expect(minutesUntil(0, 59_999)).toBe(-0);
    expect(minutesUntil(0, 120_000)).toBe(-2);
  });
});
