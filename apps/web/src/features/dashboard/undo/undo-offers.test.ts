import type { Child } from '@haris/contract/objects';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createUndoOffers } from './undo-offers.ts';

const child = (id: string): Child => ({
  _id: id,
  name: id,
  photo: null,
  status: 'Inside',
  isInside: true,
  entryTime: '2026-11-20T10:15:00.000Z',
  duration: 30,
  uniqueEntryId: `entry-${id}`,
  parent: { _id: 'parent', name: 'Parent' },
  roomId: null,
  room: null,
  birthDate: null,
  pending: [],
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('an offer can be undone from its opening until its time has passed', () => {
  const offers = createUndoOffers(10_000);
  const held = offers.hold('checkOut', [child('a')]);
  expect(offers.all()).toMatchObject([{ kind: 'checkOut', isOpen: false }]);
  // The undo window starts at the response, however late that comes.
  vi.advanceTimersByTime(60_000);
  expect(held.open().isOpen).toBe(true);
  expect(offers.all()).toMatchObject([{ isOpen: true }]);
  vi.advanceTimersByTime(9_999);
  expect(offers.all()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(offers.all()).toEqual([]);
});

test('what failed or was undone is offered no more', () => {
  const offers = createUndoOffers(10_000);
  offers.hold('checkOut', [child('a')]).withdraw();
  const { id } = offers.hold('checkIn', [child('b')]).open();
  offers.withdraw(id);
  expect(offers.all()).toEqual([]);
});

test('a newer act on the same child ends the older offer, and its clock does not end the newer', () => {
  const offers = createUndoOffers(10_000);
  offers.hold('checkOut', [child('a')]).open();
  vi.advanceTimersByTime(6_000);
  const newer = offers.hold('checkOut', [child('a')]).open();
  offers.hold('checkIn', [child('b')]).open();
  expect(offers.all().map(({ id }) => id)).toEqual([newer.id, newer.id + 1]);
  vi.advanceTimersByTime(4_000);
  expect(offers.all()).toHaveLength(2);
  vi.advanceTimersByTime(6_000);
  expect(offers.all()).toEqual([]);
});

test('listeners hear of each change, and the array is the same in between', () => {
  const offers = createUndoOffers(10_000);
  const heard = vi.fn();
  const stop = offers.subscribe(heard);
  const held = offers.hold('checkIn', [child('a')]);
  expect(offers.all()).toBe(offers.all());
  held.open();
  offers.withdraw(99);
  expect(heard).toHaveBeenCalledTimes(2);
  stop();
  vi.advanceTimersByTime(10_000);
  expect(heard).toHaveBeenCalledTimes(2);
});

test('the next person at a device has none of the offers before, also of what is still on its way', () => {
  const offers = createUndoOffers(10_000);
  const held = offers.hold('checkIn', [child('a')]);
  offers.hold('checkOut', [child('b')]).open();
  offers.clear();
  held.open();
  expect(offers.all()).toEqual([]);
});
