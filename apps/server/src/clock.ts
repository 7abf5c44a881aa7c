/** The one clock of the server; tests move it. */

/** Milliseconds since 1970 (UTC). */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A moment of the clock in the wire format: ISO 8601, UTC, milliseconds. */
export function toMoment(ms: number): string {
  return new Date(ms).toISOString();
}
