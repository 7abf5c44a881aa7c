/** Calls of a session. Loaded when there is a token: a visitor's first load contains no schema. */
import type { Language } from '@haris/contract/fields';
import { accountRoutes } from '@haris/contract/http/accounts';
import type { Admin, Parent } from '@haris/contract/objects';
import { ApiError } from '../calls/api-error.ts';
import { call } from '../calls/http.ts';

/**
 * Returns null for 401 and 403, which mean "not this kind of account"; other failures are thrown and sign nobody out.
 */
async function nullWhenRefused<T>(identity: Promise<T>): Promise<T | null> {
  try {
    return await identity;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return null;
    throw error;
  }
}

/** The staff member of the stored token; null if the token is not a staff member's. Throws {@link ApiError}. */
export function fetchAdmin(signal: AbortSignal): Promise<Admin | null> {
  return nullWhenRefused(call(accountRoutes.adminInfo, { signal }).then(({ admin }) => admin));
}

/** The parent of the stored token; null if the token is not a parent's. Throws {@link ApiError}. */
export function fetchParent(signal: AbortSignal): Promise<Parent | null> {
  return nullWhenRefused(call(accountRoutes.parentInfo, { signal }).then(({ parent }) => parent));
}

/** Saves the language in the signed-in account. Throws {@link ApiError}. */
export async function saveLanguage(language: Language): Promise<void> {
  await call(accountRoutes.setLanguage, { body: { language } });
}

/** Invalidates the token on the server. Throws {@link ApiError}, after 5 s at the latest. */
export async function logout(): Promise<void> {
  await call(accountRoutes.logout, { timeoutMs: 5000 });
}
