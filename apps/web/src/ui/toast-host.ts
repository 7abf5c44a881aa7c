/** Whether this page has had anything to notify of: the notices' code is no part of the first load. */
import { useSyncExternalStore } from 'react';

let isWanted = false;
const listeners = new Set<() => void>();

/** Called as soon as the code that notifies is there. */
export function wantToaster(): void {
  isWanted = true;
  for (const listener of listeners) listener();
}

/** True once there may be notices to show. */
export function useToasterWanted(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    () => isWanted,
  );
}
