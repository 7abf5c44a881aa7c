/** Stores the session token in local storage (spec §3) and notifies listeners of changes. */
import { TOKEN_STORAGE_KEY } from '@haris/contract/constants';

export interface TokenState {
  readonly token: string | null;
  /** Increases with every change; identifies a session in query keys without containing the token. */
  readonly generation: number;
}

/** Storage key of an evacuation's list (features/incidents/roll-call/kept-list.ts). It ends with the session. */
export const KEPT_LIST_KEY = 'haris.evacuation';

/** Storage key of the family's pick-up code (features/profile/pickup-secret.ts). It ends with the session. */
export const PICKUP_KEY = 'haris.pickup';

/** Storage key of what was typed before a reload (forms/drafts.ts). It ends with the session. */
export const DRAFTS_KEY = 'haris.drafts';

type Listener = () => void;

const listeners = new Set<Listener>();
let state: TokenState = { token: readToken(), generation: 0 };

function readToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_STORAGE_KEY);
  } catch {
    return null;
  }
}

function replace(token: string | null): void {
  if (token === state.token) return;
  state = { token, generation: state.generation + 1 };
  try {
    sessionStorage.removeItem(PICKUP_KEY);
    sessionStorage.removeItem(DRAFTS_KEY);
  } catch {
    // Nothing could be stored there.
  }
  for (const listener of listeners) listener();
}

let onTokenDied: (token: string) => void = () => {};

/** Sets the listener for a token that the server no longer accepts. session/session.tsx ends the session then. */
export function listenForDeadToken(listener: (token: string) => void): void {
  onTokenDied = listener;
}

/** Reports that the server rejected a token. */
export function tokenDied(token: string): void {
  onTokenDied(token);
}

/** Returns the same object until the token changes. */
export function getTokenState(): TokenState {
  return state;
}

/**
 * Stores the token; null removes it. Without storage, or with `isKept` false, the session lasts as long as the page: a
 * desk tablet stores nothing about the people who use it.
 */
export function setToken(token: string | null, isKept = true): void {
  try {
    if (token !== state.token) localStorage.removeItem(KEPT_LIST_KEY);
    if (token === null || !isKept) localStorage.removeItem(TOKEN_STORAGE_KEY);
    else localStorage.setItem(TOKEN_STORAGE_KEY, token);
  } catch {
    // The copy in memory remains.
  }
  replace(token);
}

/** Calls back after each change, including changes by another tab. Returns a function that unsubscribes. */
export function subscribeToken(listener: Listener): () => void {
  // Tests of parts without a page have no window.
  if (listeners.size === 0) globalThis.addEventListener?.('storage', onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) globalThis.removeEventListener?.('storage', onStorage);
  };
}

function onStorage(event: StorageEvent): void {
  // `key` is null when the whole storage was cleared.
  if (event.key === TOKEN_STORAGE_KEY || event.key === null) replace(readToken());
}
