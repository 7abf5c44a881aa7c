/** Stores the "Logged out" message across the page reload that ends a parent's session (spec §4). */

const TOAST_KEY = 'haris.notice';

/** Returns false if storage is forbidden. */
export function keepToast(): boolean {
  try {
    sessionStorage.setItem(TOAST_KEY, 'loggedOut');
    return true;
  } catch {
    return false;
  }
}

/** Returns true once after {@link keepToast}. */
export function takeKeptToast(): boolean {
  try {
    const isKept = sessionStorage.getItem(TOAST_KEY) !== null;
    sessionStorage.removeItem(TOAST_KEY);
    return isKept;
  } catch {
    return false;
  }
}
