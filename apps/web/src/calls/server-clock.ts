/**
 * The server's clock as seen from here. Each response's `x-server-time` is a sample of the offset; the sample with the
 * shortest round trip wins. calls/http.ts records the samples.
 */

/** Milliseconds of the wall clock (`Date.now`) and of the steady one (`performance.now`) at one instant. */
export interface Instant {
  wall: number;
  steady: number;
}

interface Sample {
  offsetMs: number;
  roundTripMs: number;
  takenAt: Instant;
}

/** Samples with a longer round trip are too inaccurate. */
const MAX_ROUND_TRIP_MS = 10_000;
/** After this time a worse sample may replace a better one, because clocks drift. */
const SAMPLE_LIFE_MS = 10 * 60_000;
/** A larger gap between the two clocks means that the laptop slept or that somebody changed its time. */
const MAX_CLOCK_GAP_MS = 1500;

/** Keeps the offset; tests pass their own `now`. */
export function createServerClock(now: () => Instant) {
  let sample: Sample | null = null;

  function isUpset(): boolean {
    if (sample === null) return false;
    const at = now();
    const gap = at.wall - sample.takenAt.wall - (at.steady - sample.takenAt.steady);
    return Math.abs(gap) > MAX_CLOCK_GAP_MS;
  }

  return {
    /** Records the time in a response. `serverTime` is ISO 8601; `startedAt` is when the request left. */
    record(serverTime: string, startedAt: Instant): void {
      const server = Date.parse(serverTime);
      const at = now();
      // A sleep between request and response shows in only one of the clocks, so take the longer span.
      const roundTripMs = Math.max(at.wall - startedAt.wall, at.steady - startedAt.steady);
      if (!Number.isFinite(server) || roundTripMs < 0 || roundTripMs > MAX_ROUND_TRIP_MS) return;
      const isBetter =
        sample === null ||
        roundTripMs <= sample.roundTripMs ||
        at.steady - sample.takenAt.steady > SAMPLE_LIFE_MS ||
        isUpset();
      if (isBetter) sample = { offsetMs: server + roundTripMs / 2 - at.wall, roundTripMs, takenAt: at };
    },
    /** The server's time, milliseconds since 1970; this device's time until the first response. */
    serverNow: (): number => now().wall + (sample?.offsetMs ?? 0),
    /** True if this device's clock has jumped since the sample, so that the offset must be measured again. */
    isUpset,
  };
}

const clock = createServerClock(() => ({ wall: Date.now(), steady: performance.now() }));

export const recordServerTime = clock.record;
/** The server's time, milliseconds since 1970. */
export const serverNow = clock.serverNow;

/** Calls `remeasure` after a sleep or a clock change. Returns a function that stops watching. */
export function watchClock(remeasure: () => void): () => void {
  const check = () => {
    if (clock.isUpset()) remeasure();
  };
  const timer = setInterval(check, 5000);
  document.addEventListener('visibilitychange', check);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', check);
  };
}
