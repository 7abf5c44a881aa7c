/**
 * Loaded before the server program (`node --import`): the limits of its stop last thirty times as long, so that a test
 * sees what a stop does and not how fast the machine is. `npm run bench:stop` measures the limits themselves.
 */
const LIMITS_MS = [5_000, 9_000];
const real = globalThis.setTimeout;

globalThis.setTimeout = Object.assign(
  (run: () => void, ms?: number) => real(run, ms !== undefined && LIMITS_MS.includes(ms) ? 30 * ms : ms),
  real,
);
