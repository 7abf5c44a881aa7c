/** Defers content that the first paint does not need. */
import { type ReactNode, useDeferredValue } from 'react';

/** Renders its children in a second, interruptible pass, so that a slow phone stays responsive. */
export function Later({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) ? children : null;
}
