/** Back-off: the growing pause between attempts. Computes pauses only; starts no timer. */

export interface BackoffCurve {
  /** Pause before the first retry, in milliseconds; each later one is twice as long. */
  readonly firstMs: number;
  /** Upper limit of a pause. Milliseconds. */
  readonly longestMs: number;
  /** Random part of each pause, 0 to 1: with 0.25 a pause lasts 75 to 100 % of its full length. Default 0. */
  readonly jitter?: number;
}

/**
 * The pause before a retry, in milliseconds, after `failures` failures (1 or more). Pure except for `random` (0 to
 * 1), so a durable queue can compute it from a stored count.
 */
export function backoffMs(
  failures: number,
  { firstMs, longestMs, jitter = 0 }: BackoffCurve,
  random: () => number = Math.random,
): number {
  const full = Math.min(firstMs * 2 ** Math.max(0, failures - 1), longestMs);
  return jitter === 0 ? full : full * (1 - jitter + random() * jitter);
}

export interface BackoffOptions extends BackoffCurve {
  /** After this uptime the pauses start from `firstMs` again. Milliseconds; if unset, only `reset` does that. */
  readonly resetAfterMs?: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
  readonly random?: () => number;
}

export interface Backoff {
  /** Counts a failure and returns the pause before the next attempt, in milliseconds. */
  next(): number;
  /** Reports a sign of success. The first report begins an uptime, and `next` ends it. */
  works(): void;
  /** Forgets all failures. */
  reset(): void;
}

/** Back-off of one connection or process; failures are counted in memory. */
export function createBackoff(options: BackoffOptions): Backoff {
  const { resetAfterMs = Number.POSITIVE_INFINITY, now = () => performance.now(), random } = options;
  let failures = 0;
  let upSince: number | null = null;
  return {
    next() {
      upSince = null;
      failures++;
      return backoffMs(failures, options, random);
    },
    works() {
      upSince ??= now();
      if (now() - upSince >= resetAfterMs) failures = 0;
    },
    reset() {
      upSince = null;
      failures = 0;
    },
  };
}
