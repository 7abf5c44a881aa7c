/**
 * Loaded before `npm run doctor` (`node --import`): its limits of time last thirty times as long, so that a test sees what
 * it finds and not how fast the machine is.
 */
const LIMITS_MS = [10_000, 25_000];
const TIMES = 30;
const realTimer = globalThis.setTimeout;
const realSignal = AbortSignal.timeout.bind(AbortSignal);

globalThis.setTimeout = Object.assign(
  (run: () => void, ms?: number) =>
    realTimer(run, ms !== undefined && LIMITS_MS.includes(ms) ? TIMES * ms : ms),
  realTimer,
);
AbortSignal.timeout = (ms) => realSignal(TIMES * ms);
