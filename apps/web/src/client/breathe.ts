/** A pause between two pieces of work, in which a slow phone answers. */

/** Lets the browser do what waits. Ends at once on a page that is hidden: nobody waits there, and its timers are slow. */
export function breathe(): Promise<void> {
  if (globalThis.document?.visibilityState !== 'visible') return Promise.resolve();
  return new Promise((resolve) => setTimeout(resolve));
}
