import { expect, it } from 'vitest';
import { backoffMs, createBackoff } from './backoff.ts';

const curve = { firstMs: 1_000, longestMs: 30_000 };

it('doubles the pause up to the longest one', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 2_000].map((failures) => backoffMs(failures, curve))).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
  ]);
});

it('makes a random part of the pause shorter', () => {
  const jittered = { ...curve, jitter: 0.25 };
  expect([0, 0.5, 1].map((random) => backoffMs(6, jittered, () => random))).toEqual([22_500, 26_250, 30_000]);
});

it('starts anew only after the uptime, which a failure ends', () => {
  let now = 0;
  const backoff = createBackoff({ ...curve, resetAfterMs: 10_000, now: () => now });
  expect([backoff.next(), backoff.next()]).toEqual([1_000, 2_000]);
  backoff.works();
  now += 9_999;
  backoff.works();
  expect(backoff.next()).toBe(4_000);
  // Starts a new uptime; the previous one does not count.
  backoff.works();
  now += 9_999;
  backoff.works();
  expect(backoff.next()).toBe(8_000);
  backoff.works();
  now += 10_000;
  backoff.works();
  expect(backoff.next()).toBe(1_000);
});

it('does not start anew when nothing reported that it works', () => {
  let now = 0;
  const backoff = createBackoff({ ...curve, resetAfterMs: 10_000, now: () => now });
  backoff.works();
  backoff.next();
  now += 60_000;
  expect(backoff.next()).toBe(2_000);
});

it('starts anew when it is reset', () => {
  const backoff = createBackoff(curve);
  backoff.next();
  backoff.next();
  backoff.reset();
  expect(backoff.next()).toBe(1_000);
});
