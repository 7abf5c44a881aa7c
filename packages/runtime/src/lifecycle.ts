/** Stops a program on SIGTERM, SIGINT or the loss of its parent: once, within a time limit. */
import type { Logger } from './log.ts';

export interface StopOptions {
  readonly log: Logger;
  /** Closes open resources in order; called once. */
  readonly stop: () => Promise<void>;
  /** Time limit of `stop` in milliseconds; when it is exceeded, the program exits with 1. */
  readonly withinMs?: number;
  /** A second signal at least this long after the first makes the program exit at once. Milliseconds. */
  readonly forceAfterMs?: number;
  /** Also stop when the IPC channel to the parent closes (the parent was killed). */
  readonly withParent?: boolean;
}

/**
 * Exits with 0 after `stop` on SIGTERM or SIGINT. One Ctrl-C reaches a program twice, from the terminal and from npm,
 * which forwards it. Signals that arrive together therefore count as one; a clearly later signal exits with 1 at once.
 */
export function stopOnSignals({
  log,
  stop,
  withinMs = 9_000,
  forceAfterMs = 3_000,
  withParent = false,
}: StopOptions): void {
  let stoppingSince: number | null = null;
  const begin = (reason: string): void => {
    if (stoppingSince !== null) {
      if (reason !== 'parent' && performance.now() - stoppingSince >= forceAfterMs) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    log.info({ reason }, 'stopping');
    setTimeout(() => {
      log.error({ withinMs }, 'did not stop in time');
      process.exit(1);
    }, withinMs).unref();
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', () => begin('SIGTERM'));
  process.on('SIGINT', () => begin('SIGINT'));
  if (withParent) process.on('disconnect', () => begin('parent'));
}
