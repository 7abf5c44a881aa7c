/** The calls behind a session. Loaded when there is a token: a visitor's first load has no schema in it. */
import type { Language } from '@haris/contract/fields';
import { accountRoutes } from '@haris/contract/http/accounts';
import type { Admin, Parent } from '@haris/contract/objects';
import { ApiError } from './api-error.ts';
import { call } from './http.ts';

/** Null means "not this kind of account"; anything but 401 and 403 is a failure that signs nobody out. */
async function nullWhenRefused<T>(identity: Promise<T>): Promise<T | null> {
  try {
    return await identity;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return null;
    throw error;
  }
}

/** The member of staff whose token is kept; null where it is no such token. Throws {@link ApiError}. */
export function fetchAdmin(signal: AbortSignal): Promise<Admin | null> {
  return nullWhenRefused(call(accountRoutes.adminInfo, { signal }).then(({ admin }) => admin));
}

/** The parent whose token is kept; null where it is no such token. Throws {@link ApiError}. */
export function fetchParent(signal: AbortSignal): Promise<Parent | null> {
  return nullWhenRefused(call(accountRoutes.parentInfo, { signal }).then(({ parent }) => parent));
}

/** Keeps the language with the account of whoever is signed in. Throws {@link ApiError}. */
export async function saveLanguage(language: Language): Promise<void> {
  await call(accountRoutes.setLanguage, { body: { language } });
}

/** The token dies on the server. Throws {@link ApiError}, after 5 s at the latest. */
export async function logout(): Promise<void> {
  await call(accountRoutes.logout, { timeoutMs: 5000 });
}
