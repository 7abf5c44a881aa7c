/** Whether something that lives for a fixed time is still alive. Pure. */

/** End of the validity, its whole length, and the current time; all in milliseconds. */
export interface Lifetime {
  readonly expiresAt: number;
  readonly lifetimeMs: number;
  readonly now: number;
}

/**
 * False after the end, and also before the beginning: otherwise, after the clock was set back, it would stay valid
 * longer than allowed.
 */
export function isAlive({ expiresAt, lifetimeMs, now }: Lifetime): boolean {
  return now < expiresAt && expiresAt <= now + lifetimeMs;
}
