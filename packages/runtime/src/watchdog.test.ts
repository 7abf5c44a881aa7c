import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startWatchdog } from './watchdog.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('barks once, after its limit without a sign of life', () => {
  const onSilent = vi.fn();
  const watchdog = startWatchdog(3_000, onSilent);
  vi.advanceTimersByTime(2_000);
  watchdog.heard();
  vi.advanceTimersByTime(2_000);
  expect(onSilent).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(onSilent).toHaveBeenCalledTimes(1);
});

it('takes neither a jump of the clock nor a stop for silence', () => {
  const onSilent = vi.fn();
  const watchdog = startWatchdog(3_000, onSilent);
  vi.setSystemTime(Date.now() + 24 * 3_600_000);
  vi.advanceTimersByTime(2_000);
  expect(onSilent).not.toHaveBeenCalled();
  watchdog.stop();
  vi.advanceTimersByTime(60_000);
  expect(onSilent).not.toHaveBeenCalled();
});
