/**
 * What this browser keeps of a registration until somebody signs in: the key that signs in together with the mailed link, for
 * all tabs, and in the tab of the form what was typed, without the password.
 */
import { useSyncExternalStore } from 'react';

/** Local storage: the link is opened in another tab. */
const KEY_STORAGE = 'haris.browserKey';
/** Session storage: names and addresses go with the tab. */
const TYPED_STORAGE = 'haris.registration';

/** The key is valid for a day (contract §6). Milliseconds. */
const KEPT_MS = 24 * 3_600_000;

interface KeptKey {
  readonly id: string;
  readonly key: string;
  /** Milliseconds since 1970, by this device's clock. */
  readonly until: number;
}

/** What was typed, except the password. */
export interface Typed {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
}

export interface Registration extends Typed {
  /** Matches the key. */
  readonly id: string;
  /** When the mail can be sent again: milliseconds since 1970, by this device's clock. */
  readonly againAt: number;
}

const listeners = new Set<() => void>();
let shown: { readonly raw: string; readonly registration: Registration } | null = null;

function parse(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function isKey(value: unknown): value is KeptKey {
  if (typeof value !== 'object' || value === null) return false;
  const { id, key, until } = value as Record<string, unknown>;
  return typeof id === 'string' && typeof key === 'string' && typeof until === 'number';
}

function isRegistration(value: unknown): value is Registration {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, email, phone, againAt } = value as Record<string, unknown>;
  return [id, name, email, phone].every((text) => typeof text === 'string') && typeof againAt === 'number';
}

function readKey(): KeptKey | null {
  try {
    const kept = parse(localStorage.getItem(KEY_STORAGE));
    return isKey(kept) && kept.until > Date.now() ? kept : null;
  } catch {
    return null;
  }
}

/** The key of this browser's last registration; null if there is none, or a session began since. */
export function readBrowserKey(): string | null {
  return readKey()?.key ?? null;
}

/** The same object until it changes, as React wants it. */
function readRegistration(): Registration | null {
  try {
    const raw = sessionStorage.getItem(TYPED_STORAGE);
    const kept = raw === null ? null : parse(raw);
    if (raw === null || !isRegistration(kept) || readKey()?.id !== kept.id) return null;
    if (shown?.raw !== raw) shown = { raw, registration: kept };
    return shown.registration;
  } catch {
    return null;
  }
}

function write(change: () => void): void {
  try {
    change();
  } catch {
    // Without storage, the person signs in with the password.
  }
  for (const listener of listeners) listener();
}

/** Keeps a registration. `againAt`: when the mail can be sent again, in milliseconds since 1970. */
export function keepRegistration(typed: Typed, key: string, againAt: number): void {
  const id = String(Date.now());
  const { name, email, phone } = typed;
  write(() => {
    localStorage.setItem(KEY_STORAGE, JSON.stringify({ id, key, until: Date.now() + KEPT_MS }));
    sessionStorage.setItem(TYPED_STORAGE, JSON.stringify({ id, name, email, phone, againAt }));
  });
}

/** After the mail was sent again, or was refused. `isSent`: the key is valid for another day. */
export function keepAgainAt(registration: Registration, againAt: number, isSent: boolean): void {
  const kept = readKey();
  write(() => {
    if (isSent && kept?.id === registration.id)
      localStorage.setItem(KEY_STORAGE, JSON.stringify({ ...kept, until: Date.now() + KEPT_MS }));
    sessionStorage.setItem(TYPED_STORAGE, JSON.stringify({ ...registration, againAt }));
  });
}

/** Forgets what was typed; the mailed link still signs in here. */
export function hideRegistration(): void {
  write(() => sessionStorage.removeItem(TYPED_STORAGE));
}

/** Forgets the registration: somebody has signed in. Other tabs do the same once the key is gone. */
export function forgetRegistration(): void {
  write(() => {
    localStorage.removeItem(KEY_STORAGE);
    sessionStorage.removeItem(TYPED_STORAGE);
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

// Somebody has signed in in another tab, or registered anew. Tests of parts without a page have no window.
globalThis.addEventListener?.('storage', (event) => {
  const { key } = event as StorageEvent;
  if (key !== KEY_STORAGE && key !== null) return;
  if (readKey() === null) hideRegistration();
  else write(() => {});
});

/** The registration that was made in this tab and waits for its mail; null if there is none. */
export function useRegistration(): Registration | null {
  return useSyncExternalStore(subscribe, readRegistration);
}
