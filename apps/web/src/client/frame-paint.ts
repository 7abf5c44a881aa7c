/**
 * The frame of a screen is painted before the screen's own code runs: a slow phone shows what comes, and only then works on
 * it. The code is fetched meanwhile (public/boot.js). Knows no screen.
 */
import { getTokenState } from './token-store.ts';

/** Nobody waits longer than this for a paint, in milliseconds: a hidden page paints nothing. */
const MOST_MS = 1_500;

/** The screens that have a frame. */
const FRAMED: readonly string[] = ['/adminDashboard'];

/** Whether the page shows a frame at this path until it is known who is there. A visitor is sent away from it at once. */
export function hasFrame(pathname: string): boolean {
  return FRAMED.includes(pathname) && getTokenState().token !== null;
}

/** Whether this page was opened with one. */
export const opensWithFrame = hasFrame(location.pathname);

let tell: () => void = () => {};
const painted: Promise<void> = opensWithFrame
  ? new Promise((resolve) => {
      tell = resolve;
      setTimeout(resolve, MOST_MS);
    })
  : Promise.resolve();

/** Ends once the frame that this page opened with has been painted; at once where it opened with none. */
export function framePainted(): Promise<void> {
  return painted;
}

/** The frame stands in the page: the next thing that the browser does is to paint it. */
export function tellOfFrame(): void {
  if (document.visibilityState === 'hidden') tell();
  else requestAnimationFrame(() => setTimeout(tell));
}
