/** Checks all viewers' rights at intervals and after every change, one run at a time. Fails closed. */

/** Milliseconds between two checks. */
const CHECK_MS = 700;
/** Duration after which a running check suspends all viewers until it ends. Milliseconds. */
const LATE_AFTER_MS = 1_000;
/** Duration after which a check counts as failed. Milliseconds. */
const FAILED_AFTER_MS = 5_000;

export interface RightsCheckParts {
  /** Whether there are viewers to check. */
  isNeeded(): boolean;
  check(): Promise<void>;
  onLate(): void;
  onFailed(error: unknown): void;
}

export interface RightsChecks {
  /** Starts a check now, or right after the running check. */
  checkSoon(): void;
  stop(): void;
}

export function startRightsChecks({ isNeeded, check, onLate, onFailed }: RightsCheckParts): RightsChecks {
  let isRunning = false;
  let isRequested = false;

  function checkSoon(): void {
    if (!isNeeded()) return;
    if (isRunning) {
      isRequested = true;
      return;
    }
    isRunning = true;
    isRequested = false;
    let isDone = false;
    const late = setTimeout(() => {
      // First handle results that arrived while this process was busy.
      setImmediate(() => !isDone && onLate());
    }, LATE_AFTER_MS);
    const failed = setTimeout(() => onFailed(new Error('rights were not checked in time')), FAILED_AFTER_MS);
    check()
      .catch(onFailed)
      .finally(() => {
        isDone = true;
        clearTimeout(late);
        clearTimeout(failed);
        isRunning = false;
        if (isRequested) checkSoon();
      });
  }

  const timer = setInterval(checkSoon, CHECK_MS);
  timer.unref();
  return { checkSoon, stop: () => clearInterval(timer) };
}
