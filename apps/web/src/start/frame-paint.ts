/**
 * Paints the frame of a screen before the screen's own code runs, so that a slow phone shows something early.
 * In the meantime public/boot.js fetches the code.
 */
import { getTokenState } from '../calls/token-store.ts';

/** Longest wait for a paint, in milliseconds: a hidden page never paints. */
const MOST_MS = 1_500;

/** The screens that have a frame. */
const FRAMED: readonly string[] = ['/adminDashboard'];

/**
 * Whether the page shows a frame at this path while the session loads. Visitors never see one, because they are
 * redirected.
 */
export function hasFrame(pathname: string): boolean {
  return FRAMED.includes(pathname) && getTokenState().token !== null;
}

/** Whether this page was opened with a frame. */
export const opensWithFrame = hasFrame(location.pathname);

let tell: () => void = () => {};
const painted: Promise<void> = opensWithFrame
  ? new Promise((resolve) => {
      tell = resolve;
      setTimeout(resolve, MOST_MS);
    })
  : Promise.resolve();

/** Resolves once the frame of this page has been painted, or at once if the page opened without one. */
export function framePainted(): Promise<void> {
  return painted;
}

/** Call when the frame is in the page; the browser paints it next. */
export function tellOfFrame(): void {
  if (document.visibilityState === 'hidden') tell();
  else requestAnimationFrame(() => setTimeout(tell));
}
