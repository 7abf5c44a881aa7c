/** Time limits of the hub for its processes and its server. Only tests shorten them. */

/** All values are in milliseconds. */
export interface Limits {
  /** Time between two heartbeats of a process. */
  readonly beatMs: number;
  /** A process that sends no message for this long counts as hung and is killed. */
  readonly hungAfterMs: number;
  /** A live camera without a new frame for this long counts as stalled. */
  readonly frozenAfterMs: number;
  /** First pause of the back-off before a camera is connected again. */
  readonly cameraPauseMs: number;
  /** Time between two pings to the server, which must respond before the next ping. */
  readonly pingMs: number;
  /** How long a server keeps its seat after its connection broke. */
  readonly graceMs: number;
}

export const LIMITS: Limits = {
  beatMs: 2_000,
  hungAfterMs: 10_000,
  frozenAfterMs: 5_000,
  cameraPauseMs: 1_000,
  pingMs: 4_000,
  graceMs: 10_000,
};
