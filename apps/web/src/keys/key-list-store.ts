/** Whether the list of keys is open; anything on the page may open it. */
import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let isOpen = false;

function set(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function openKeyList(): void {
  set(true);
}

export function closeKeyList(): void {
  set(false);
}

export function useKeyListOpen(): boolean {
  return useSyncExternalStore(subscribe, () => isOpen);
}
