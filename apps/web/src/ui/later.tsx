/** What need not be there at the first glance. */
import { type ReactNode, useDeferredValue } from 'react';

/** Draws its children in a second pass, which gives way to whatever else the page has to do: a slow phone answers in between. */
export function Later({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) ? children : null;
}
