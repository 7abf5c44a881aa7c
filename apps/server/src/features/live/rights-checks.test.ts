/** The 2 s within which a stream must end (contract §5), on a fake clock: no verdict depends on the machine. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RightsChecks, startRightsChecks } from './rights-checks.ts';

const PROMISED_MS = 2_000;
let checks: RightsChecks;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  checks.stop();
  vi.useRealTimers();
});

/** Starts checks that each last `lastsMs` and then read whether the right still holds. */
function start({ lastsMs = 0, isNeeded = true }: { lastsMs?: number; isNeeded?: boolean } = {}) {
  const state = { mayWatch: true, started: 0 };
  const ended = vi.fn();
  const onLate = vi.fn();
  const onFailed = vi.fn();
  checks = startRightsChecks({
    isNeeded: () => isNeeded,
    async check() {
      state.started++;
      const { mayWatch } = state;
      if (lastsMs > 0) await new Promise((resolve) => setTimeout(resolve, lastsMs));
      if (!mayWatch) ended();
    },
    onLate,
    onFailed,
  });
  return { state, ended, onLate, onFailed };
}

test('a right that another server took away is noticed within two seconds, though no event arrives', async () => {
  const { state, ended } = start({ lastsMs: 900 });
  await vi.advanceTimersByTimeAsync(701);
  // The running check has read the right already, so only the next one can notice.
  state.mayWatch = false;
  await vi.advanceTimersByTimeAsync(PROMISED_MS);
  expect(ended).toHaveBeenCalled();
});

test('a change during a check is followed by another check at once', async () => {
  const { state, ended } = start({ lastsMs: 500 });
  checks.checkSoon();
  state.mayWatch = false;
  checks.checkSoon();
  checks.checkSoon();
  expect(state.started).toBe(1);
  await vi.advanceTimersByTimeAsync(501);
  expect(state.started).toBe(2);
  await vi.advanceTimersByTimeAsync(500);
  expect(ended).toHaveBeenCalledOnce();
});

test('while a check hangs, all viewers are suspended within two seconds of the change, and it fails after five', async () => {
  const { onLate, onFailed } = start({ lastsMs: 3_600_000 });
  await vi.advanceTimersByTimeAsync(PROMISED_MS);
  expect(onLate).toHaveBeenCalledOnce();
  expect(onFailed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(3_701);
  expect(onFailed).toHaveBeenCalledOnce();
});

test('a check that is quick suspends nobody, and without viewers nothing is checked', async () => {
  const quick = start({ lastsMs: 100 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(quick.onLate).not.toHaveBeenCalled();
  checks.stop();
  const idle = start({ isNeeded: false });
  checks.checkSoon();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(idle.state.started).toBe(0);
});

test('a check that throws counts as failed, and the next one runs', async () => {
  const onFailed = vi.fn();
  const check = vi.fn().mockRejectedValueOnce(new Error('no database')).mockResolvedValue(undefined);
  checks = startRightsChecks({ isNeeded: () => true, check, onLate: vi.fn(), onFailed });
  await vi.advanceTimersByTimeAsync(1_401);
  expect(onFailed).toHaveBeenCalledOnce();
  expect(check).toHaveBeenCalledTimes(2);
});
