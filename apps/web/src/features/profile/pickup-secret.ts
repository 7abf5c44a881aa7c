/**
 * The secret of the family's pick-up code, kept in this tab so that the code is there after a reload without a
 * connection. The end of the session removes it in calls/token-store.ts. Makes no calls.
 */
import { PICKUP_KEY } from '../../calls/token-store.ts';

/** The kept secret in base32; null without one. */
export function readKeptSecret(): string | null {
  try {
    return sessionStorage.getItem(PICKUP_KEY);
  } catch {
    return null;
  }
}

/** Keeps the secret; null removes it: no child is inside. */
export function keepSecret(secret: string | null): void {
  try {
    if (secret === null) sessionStorage.removeItem(PICKUP_KEY);
    else sessionStorage.setItem(PICKUP_KEY, secret);
  } catch {
    // Without storage, it lasts as long as the page.
  }
}
