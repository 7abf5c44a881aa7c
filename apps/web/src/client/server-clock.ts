/**
 * The server's clock as seen from here. Each answer's `x-server-time` is a sample of the offset; the one with the least
 * round trip wins. Knows no call; client/http.ts feeds it.
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

/** A sample with a longer round trip says too little. */
const MAX_ROUND_TRIP_MS = 10_000;
/** After this long a worse sample may replace a better one: clocks drift. */
const SAMPLE_LIFE_MS = 10 * 60_000;
/** The two clocks disagreeing by more means that the laptop slept or that somebody set its clock. */
const MAX_CLOCK_GAP_MS = 1500;

/** Offset keeper; `now` is passed in so that tests move it. */
export function createServerClock(now: () => Instant) {
  let sample: Sample | null = null;

  function isUpset(): boolean {
    if (sample === null) return false;
    const at = now();
    const gap = at.wall - sample.takenAt.wall - (at.steady - sample.takenAt.steady);
    return Math.abs(gap) > MAX_CLOCK_GAP_MS;
  }

  return {
    /** Takes an answer into account. `serverTime` ISO 8601; `startedAt` when the request left. */
    record(serverTime: string, startedAt: Instant): void {
      const server = Date.parse(serverTime);
      const at = now();
      // A sleep between question and answer shows in one of the clocks only; the longer span is the true one.
      const roundTripMs = Math.max(at.wall - startedAt.wall, at.steady - startedAt.steady);
      if (!Number.isFinite(server) || roundTripMs < 0 || roundTripMs > MAX_ROUND_TRIP_MS) return;
      const isBetter =
        sample === null ||
        roundTripMs <= sample.roundTripMs ||
        at.steady - sample.takenAt.steady > SAMPLE_LIFE_MS ||
        isUpset();
      if (isBetter) sample = { offsetMs: server + roundTripMs / 2 - at.wall, roundTripMs, takenAt: at };
    },
    /** The server's time, milliseconds since 1970; this device's own until the first answer. */
    serverNow: (): number => now().wall + (sample?.offsetMs ?? 0),
    /** True when this device's clock jumped since the sample: ask the server again. */
    isUpset,
  };
}

const clock = createServerClock(() => ({ wall: Date.now(), steady: performance.now() }));

export const recordServerTime = clock.record;
/** The server's time, milliseconds since 1970. */
export const serverNow = clock.serverNow;

/** Watches for sleep and clock changes and calls `remeasure` after one. Answers the way to stop. */
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
