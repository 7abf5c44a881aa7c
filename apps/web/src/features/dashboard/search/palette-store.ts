/** Whether the search over everything is open, and whom this page opened from it last. */
import type { FoundChild } from '@haris/contract/http/search';
import { useSyncExternalStore } from 'react';
import { subscribeToken } from '../../../calls/token-store.ts';

const RECENT_MAX = 5;

interface PaletteState {
  readonly isOpen: boolean;
  /**
   * Children opened from the search, the last first. In memory only, because the next person at this device must not
   * see them.
   */
  readonly recent: readonly FoundChild[];
}

let state: PaletteState = { isOpen: false, recent: [] };
const listeners = new Set<() => void>();

function change(next: Partial<PaletteState>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const palette = {
  open: () => change({ isOpen: true }),
  close: () => change({ isOpen: false }),
  remember: (found: FoundChild) =>
    change({
      recent: [found, ...state.recent.filter(({ child }) => child._id !== found.child._id)].slice(
        0,
        RECENT_MAX,
      ),
    }),
};

// The next person at this device must not see whom this one has found.
subscribeToken(() => change({ isOpen: false, recent: [] }));

export function usePaletteState(): PaletteState {
  return useSyncExternalStore(subscribe, () => state);
}
