/** Work that can wait until the page is idle. */

/** Longest wait for an idle moment, in milliseconds. */
const WAIT_AT_MOST_MS = 200;

/** Calls back when the page is idle; returns a function that cancels the callback. Safari has no idle callback. */
export function whenIdle(act: () => void, atMostMs = WAIT_AT_MOST_MS): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(act, 1);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(act, { timeout: atMostMs });
  return () => cancelIdleCallback(request);
}
