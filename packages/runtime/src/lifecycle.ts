/** How a program of ours stops: on SIGTERM, SIGINT or the loss of its parent, once, within a time. */
import type { Logger } from './log.ts';

export interface StopOptions {
  readonly log: Logger;
  /** Closes what is open, in order; called once. */
  readonly stop: () => Promise<void>;
  /** Exits with 1 if `stop` takes longer than this, in milliseconds. */
  readonly withinMs?: number;
  /** Also stop when the IPC channel to the parent closes (the parent was killed). */
  readonly withParent?: boolean;
}

/** Exits 0 after `stop` on SIGTERM or SIGINT; a second signal exits at once. */
export function stopOnSignals({ log, stop, withinMs = 9_000, withParent = false }: StopOptions): void {
  let stopping = false;
  const begin = (reason: string): void => {
    if (stopping) {
      if (reason !== 'parent') process.exit(1);
      return;
    }
    stopping = true;
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
