/** The session token in local storage (spec §3), and who wants to know when it changes. Knows no call. */
import { TOKEN_STORAGE_KEY } from '@haris/contract/constants';

export interface TokenState {
  readonly token: string | null;
  /** Grows with every change: names a session in query keys without naming the token. */
  readonly generation: number;
}

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
  for (const listener of listeners) listener();
}

let onTokenDied: (token: string) => void = () => {};

/** One listener for "the server no longer knows this token": client/session.tsx ends the session. */
export function listenForDeadToken(listener: (token: string) => void): void {
  onTokenDied = listener;
}

/** Whoever is told so by the server passes it on. */
export function tokenDied(token: string): void {
  onTokenDied(token);
}

/** The same object until the token changes. */
export function getTokenState(): TokenState {
  return state;
}

/** Keeps or, with null, removes the token. Where storage is forbidden the session lives as long as the page. */
export function setToken(token: string | null): void {
  try {
    if (token === null) localStorage.removeItem(TOKEN_STORAGE_KEY);
    else localStorage.setItem(TOKEN_STORAGE_KEY, token);
  } catch {
    // The page's memory has it.
  }
  replace(token);
}

/** Calls back after each change, also one made by another tab. Answers the way to stop. */
export function subscribeToken(listener: Listener): () => void {
  if (listeners.size === 0) addEventListener('storage', onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('storage', onStorage);
  };
}

function onStorage(event: StorageEvent): void {
  // `key` is null when the whole storage was cleared.
  if (event.key === TOKEN_STORAGE_KEY || event.key === null) replace(readToken());
}
