/** Whether shortcuts of a single key are on, kept on this device (WCAG 2.1.4). Those with Ctrl or ⌘ are always on. */
import { useSyncExternalStore } from 'react';

const KEPT = 'haris.keys';
const listeners = new Set<() => void>();
let areOn: boolean | undefined;

function read(): boolean {
  try {
    return localStorage.getItem(KEPT) !== 'off';
  } catch {
    return true;
  }
}

/** True unless somebody switched them off on this device. */
export function areSingleKeysOn(): boolean {
  areOn ??= read();
  return areOn;
}

/** Switches them for this device. Without storage, the choice lasts as long as the page. */
export function switchSingleKeys(on: boolean): void {
  areOn = on;
  try {
    if (on) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, 'off');
  } catch {
    // The page keeps the choice.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSingleKeysOn(): boolean {
  return useSyncExternalStore(subscribe, areSingleKeysOn);
}
