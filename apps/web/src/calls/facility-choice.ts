/**
 * The facility that this page works at (decision 048), for staff of several. Each account's choice is kept on this device.
 * Null: the server's default.
 */
import { isDeskTablet } from '../session/at-desk.ts';
import { getTokenState, subscribeToken } from './token-store.ts';

/** Key of the signed-in person's choice; with `.` and the id of an account appended, of that account's choice. */
export const FACILITY_KEY = 'haris.facility';

function readChoice(key: string = FACILITY_KEY): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

let chosen = getTokenState().token === null ? null : readChoice();

/** Sent with every call of a session. */
export function chosenFacility(): string | null {
  return chosen;
}

/** Before the token changes: the next session begins with the choice of this account. Null: nobody's. */
export function takeChoiceOf(accountId: string | null): string | null {
  // A desk tablet belongs to one facility.
  const kept = accountId === null || isDeskTablet() ? null : readChoice(`${FACILITY_KEY}.${accountId}`);
  try {
    if (kept === null) localStorage.removeItem(FACILITY_KEY);
    else localStorage.setItem(FACILITY_KEY, kept);
  } catch {
    // Without storage nothing was chosen.
  }
  return kept;
}

subscribeToken(() => {
  chosen = getTokenState().token === null ? null : readChoice();
});
