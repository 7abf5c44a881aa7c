/**
 * How many of this tablet's entries did not fit what the server has, until somebody has seen it. Only in this page: staff find each of them
 * under Desk Conflicts.
 */
import { useSyncExternalStore } from 'react';

let conflicts = 0;
const listeners = new Set<() => void>();

function become(now: number): void {
  if (conflicts === now) return;
  conflicts = now;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** So many answers more said `conflict`. */
export function addConflicts(more: number): void {
  become(conflicts + more);
}

/** Somebody has read it. */
export function forgetConflicts(): void {
  become(0);
}

export function useEntryConflicts(): number {
  return useSyncExternalStore(subscribe, () => conflicts);
}
