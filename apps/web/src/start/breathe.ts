/** A pause between two pieces of work, so that a slow phone can react to input. */

/** Lets the browser run waiting tasks. Resolves at once on a hidden page, which has slow timers and no input. */
export function breathe(): Promise<void> {
  if (globalThis.document?.visibilityState !== 'visible') return Promise.resolve();
  return new Promise((resolve) => setTimeout(resolve));
}
