import type { Child } from '@haris/contract/objects';
import { describe, expect, it } from 'vitest';
import { SOON_SECONDS } from '../../../countdown/remaining.ts';
import { groupByRoom, isDue, orderInside } from './arrange.ts';

const NOW = Date.parse('2026-11-20T10:15:00.000Z');

function inside(name: string, secondsLeft: number, area: string | null = null): Child {
  return {
    _id: name,
    name,
    photo: null,
    status: 'Inside',
    isInside: true,
    entryTime: new Date(NOW + secondsLeft * 1000 - 3_600_000).toISOString(),
    duration: 60,
    uniqueEntryId: `entry-${name}`,
    parent: { _id: 'p1', name: 'Mona' },
    roomId: null,
    room: null,
    birthDate: null,
    pending: [],
    lastSeen: area === null ? null : { cameraId: 'c1', area, at: new Date(NOW).toISOString() },
  };
}

describe('isDue', () => {
  it('counts nobody twice: over time begins where due soon ends', () => {
    for (const seconds of [-600, -1, 0, 1, SOON_SECONDS, SOON_SECONDS + 1, 3_000]) {
      const child = inside('a', seconds);
      expect([isDue(child, 'over', NOW), isDue(child, 'soon', NOW)]).toEqual([
        seconds <= 0,
        seconds > 0 && seconds <= SOON_SECONDS,
      ]);
    }
  });

  it('is everybody for all, and nobody who is outside otherwise', () => {
    const outside = { ...inside('a', 5), isInside: false };
    expect([isDue(outside, 'all', NOW), isDue(outside, 'soon', NOW), isDue(outside, 'over', NOW)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('orderInside', () => {
  const children = [inside('Omar', 1_800), inside('Adam', 2_400), inside('Nour', -60)];
  const names = (order: Parameters<typeof orderInside>[1]) =>
    orderInside(children, order).map(({ name }) => name);

  it('puts first what is due, the first letter, or who came last', () => {
    expect(names('due')).toEqual(['Nour', 'Omar', 'Adam']);
    expect(names('name')).toEqual(['Adam', 'Nour', 'Omar']);
    expect(names('entry')).toEqual(['Adam', 'Omar', 'Nour']);
  });
});

it('rooms are in order, those without one come last, and nobody is lost', () => {
  const rooms = groupByRoom([
    inside('a', 10),
    inside('b', 20, 'Playroom'),
    inside('c', 30, 'Garden'),
    inside('d', 40, 'Playroom'),
  ]);
  expect(rooms.map(({ name, children }) => [name, children.map(({ _id }) => _id)])).toEqual([
    ['Garden', ['c']],
    ['Playroom', ['b', 'd']],
    [null, ['a']],
  ]);
});

it('where everybody is in the default room, it says nothing; in any other it does', () => {
  const [one, two] = [inside('a', 10), inside('b', 20)].map((child) => ({ ...child, room: 'Bees' }));
  const names = (children: Child[], usual?: string) => groupByRoom(children, usual).map(({ name }) => name);
  if (!one || !two) throw new Error('there are two');
  expect(names([one, two], 'Bees')).toEqual([null]);
  expect(names([one, two])).toEqual([null]);
  expect(names([one, two], 'Main room')).toEqual(['Bees']);
  expect(names([one, { ...two, room: 'Ants' }], 'Bees')).toEqual(['Ants', 'Bees']);
});
