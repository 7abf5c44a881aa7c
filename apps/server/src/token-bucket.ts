/** A rate limit in memory, for one connection or one sender: a token bucket. */

/**
 * Returns a function that admits `burst` calls at once and `perSecond` calls afterwards. `now`: milliseconds of a clock that
 * only goes forward, such as `performance.now()`.
 */
export function createTokenBucket(burst: number, perSecond: number): (now: number) => boolean {
  let tokens = burst;
  let at = Number.NEGATIVE_INFINITY;
  return (now) => {
    if (at > Number.NEGATIVE_INFINITY) tokens = Math.min(burst, tokens + ((now - at) / 1000) * perSecond);
    at = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
