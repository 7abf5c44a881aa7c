/** Tells the app when to render the toaster, because the code of toasts is not part of the first load. */
import { useSyncExternalStore } from 'react';

let isWanted = false;
const listeners = new Set<() => void>();

/** Makes the app render the toaster. Modules that show toasts call it on load. */
export function wantToaster(): void {
  isWanted = true;
  for (const listener of listeners) listener();
}

/** True once {@link wantToaster} has been called. */
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
