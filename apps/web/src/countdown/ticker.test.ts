import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTicker } from './ticker.ts';

const START = Date.parse('2026-11-20T10:15:00.250Z');

describe('createTicker', () => {
  let wakers: Set<() => void>;
  /** A server's clock that is 1.4 s behind the browser's. */
  const clock = () => Date.now() - 1_400;
  const onWake = (wake: () => void) => {
    wakers.add(wake);
    return () => {
      wakers.delete(wake);
    };
  };

  beforeEach(() => {
    vi.useFakeTimers({ now: START });
    wakers = new Set();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('ticks once a second, at the full second of the clock it reads, for all listeners with one timer', () => {
    const ticker = createTicker({ clock, onWake });
    const first: number[] = [];
    const second: number[] = [];
    ticker.subscribe(() => first.push(ticker.now()));
    ticker.subscribe(() => second.push(ticker.now()));
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(3_000);
    expect(first).toHaveLength(3);
    expect(second).toEqual(first);
    expect(first.every((now) => now % 1000 === 0)).toBe(true);
  });

  it('holds the same time between ticks', () => {
    const ticker = createTicker({ clock, onWake });
    ticker.subscribe(() => {});
    const before = ticker.now();
    vi.advanceTimersByTime(100);
    expect(ticker.now()).toBe(before);
  });

  it('ticks at once on waking, with the time of then', () => {
    const ticker = createTicker({ clock, onWake });
    const seen: number[] = [];
    ticker.subscribe(() => seen.push(ticker.now()));
    // During sleep the clock moves on, but timers do not run.
    vi.setSystemTime(START + 3_600_000);
    for (const wake of wakers) wake();
    expect(seen).toEqual([START + 3_600_000 - 1_400]);
    expect(vi.getTimerCount()).toBe(1);
  });

  it('leaves no timer and no listener behind', () => {
    const ticker = createTicker({ clock, onWake });
    const stopFirst = ticker.subscribe(() => {});
    const stopSecond = ticker.subscribe(() => {});
    stopFirst();
    expect(vi.getTimerCount()).toBe(1);
    stopSecond();
    expect(vi.getTimerCount()).toBe(0);
    expect(wakers.size).toBe(0);
  });

  it('is up to date for the first reader after a pause', () => {
    const ticker = createTicker({ clock, onWake });
    ticker.subscribe(() => {})();
    vi.advanceTimersByTime(60_000);
    expect(ticker.now()).toBe(START + 60_000 - 1_400);
  });
});
