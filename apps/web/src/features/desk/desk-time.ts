/** The time after which a session at a desk tablet ends without a press. Known from the sign-in until the page closes. */

let idleMs = 0;

/** Stores the time from the server's answer to a sign-in. */
export function keepIdleMinutes(minutes: number): void {
  idleMs = minutes * 60_000;
}

/** Milliseconds; 0 if nobody has signed in since the page was opened. */
export function idleTime(): number {
  return idleMs;
}
