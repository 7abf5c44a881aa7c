/** Which care card is open. The dialog is shown by app/, so that every screen can open it. */
import { useSyncExternalStore } from 'react';
import { subscribeToken } from '../calls/token-store.ts';

export interface CareSubject {
  readonly id: string;
  readonly name: string;
}

interface OpenCard {
  readonly isOpen: boolean;
  /** Kept after closing, because the dialog still shows it while it fades out. */
  readonly child: CareSubject | null;
}

const NONE: OpenCard = { isOpen: false, child: null };
let state = NONE;
const listeners = new Set<() => void>();

function change(next: OpenCard): void {
  state = next;
  for (const listener of listeners) listener();
}

export function openCareCard({ id, name }: CareSubject): void {
  change({ isOpen: true, child: { id, name } });
}

export function closeCareCard(): void {
  change({ ...state, isOpen: false });
}

export function useOpenCareCard(): OpenCard {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

// The next person at this device must not see the card of the one before.
subscribeToken(() => change(NONE));
