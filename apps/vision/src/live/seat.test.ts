import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Seat } from './seat.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('admits anybody until one takes it, and then nobody else', () => {
  const seat = new Seat(10_000, 4_000);
  expect(seat.admits('a')).toBe(true);
  expect(seat.take('a')).toBe(true);
  expect([seat.admits('a'), seat.admits('b'), seat.claim('b'), seat.take('b')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  vi.advanceTimersByTime(3_600_000);
  expect(seat.admits('b')).toBe(false);
});

it('is free at once after a farewell, and ten seconds after a wire that broke', () => {
  const seat = new Seat(10_000, 4_000);
  seat.take('a');
  seat.leave(true);
  expect(seat.take('b')).toBe(true);
  seat.leave(false);
  vi.advanceTimersByTime(9_000);
  expect(seat.admits('a')).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(seat.take('a')).toBe(true);
});

it('stays with a server that comes back in time', () => {
  const seat = new Seat(10_000, 4_000);
  seat.take('a');
  seat.leave(false);
  vi.advanceTimersByTime(9_000);
  expect(seat.take('a')).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(seat.admits('b')).toBe(false);
});

it('is kept for ten seconds for who claimed it, and not for who says no name', () => {
  const seat = new Seat(10_000, 4_000);
  expect(seat.claim('')).toBe(false);
  expect(seat.claim('a')).toBe(true);
  vi.advanceTimersByTime(9_000);
  expect(seat.claim('b')).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(seat.claim('b')).toBe(true);
  seat.take('b');
  // A claim by the server with the wire does not end the wire.
  seat.claim('b');
  vi.advanceTimersByTime(60_000);
  expect(seat.admits('a')).toBe(false);
});
