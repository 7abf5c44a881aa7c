/** Detects whether the page is visible to somebody. */

/** True if the page is visible, or the picture floats above other programs. */
export function isLookedAt(): boolean {
  return document.visibilityState === 'visible' || document.pictureInPictureElement != null;
}

/**
 * Calls back when the page is hidden, frozen or left, and when it is visible again. Returns a function that stops
 * watching.
 */
export function watchPage(onChange: (isLookedAt: boolean) => void): () => void {
  const options = new AbortController();
  const look = () => onChange(isLookedAt());
  const leave = () => onChange(false);
  const { signal } = options;
  document.addEventListener('visibilitychange', look, { signal });
  document.addEventListener('leavepictureinpicture', look, { signal });
  document.addEventListener('freeze', leave, { signal });
  document.addEventListener('resume', look, { signal });
  addEventListener('pagehide', leave, { signal });
  addEventListener('pageshow', look, { signal });
  return () => options.abort();
}
