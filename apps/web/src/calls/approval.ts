/**
 * Waits for a second person when a call needs one (decision 047). One call waits at a time; app/approval-of-session.tsx
 * shows the dialog.
 */
import { useSyncExternalStore } from 'react';

interface Waiting {
  readonly id: string;
  readonly settle: (isApproved: boolean) => void;
}

let waiting: Waiting | null = null;
const listeners = new Set<() => void>();

function put(next: Waiting | null): void {
  waiting = next;
  for (const listener of listeners) listener();
}

/** Resolves to true once a colleague has agreed, to false if nobody did, or another call waits already. */
export function waitForApproval(id: string, signal: AbortSignal | undefined): Promise<boolean> {
  if (waiting !== null) return Promise.resolve(false);
  return new Promise<boolean>((resolve) => {
    const cancel = () => settleApproval(false);
    signal?.addEventListener('abort', cancel, { once: true });
    put({
      id,
      settle(isApproved) {
        signal?.removeEventListener('abort', cancel);
        resolve(isApproved);
      },
    });
  });
}

/** Continues the waiting call. */
export function settleApproval(isApproved: boolean): void {
  const settled = waiting;
  if (settled === null) return;
  put(null);
  settled.settle(isApproved);
}

/** Id of the approval that a call waits for; null while none waits. */
export function useAwaitedApproval(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    () => waiting?.id ?? null,
  );
}
