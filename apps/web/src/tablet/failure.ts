/** Failures of a paired tablet's calls that its screens distinguish. */
import { ApiError } from '../calls/api-error.ts';

export type TabletFailure = 'unpaired' | 'offline' | 'locked' | 'refused';

export function tabletFailureOf(error: unknown): TabletFailure {
  if (!(error instanceof ApiError)) return 'offline';
  if (error.status === 401) return 'unpaired';
  if (error.isNetworkError || error.status >= 500) return 'offline';
  return error.status === 429 ? 'locked' : 'refused';
}

/** A person stands in front of the screen: give up early. Milliseconds. */
const TIMEOUT_MS = 8_000;

/** Input of a call with the tablet's own token, never with a session. */
export function asTablet(token: string) {
  return { anonymous: true, headers: { authorization: `Bearer ${token}` }, timeoutMs: TIMEOUT_MS };
}

/** The calls of every kind of tablet. */
export interface TabletCalls {
  /** Checks that the server can be reached and still knows this device. */
  look: () => Promise<unknown>;
  leave: (credentials: { email: string; password: string }) => Promise<void>;
}
