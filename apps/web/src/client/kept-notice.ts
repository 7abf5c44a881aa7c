/** "Logged out" over the reload that signing out is for a parent (spec §4). Knows no notice itself. */

const NOTICE_KEY = 'haris.notice';

/** False where storage is forbidden. */
export function keepNotice(): boolean {
  try {
    sessionStorage.setItem(NOTICE_KEY, 'loggedOut');
    return true;
  } catch {
    return false;
  }
}

/** True once after {@link keepNotice}. */
export function takeNotice(): boolean {
  try {
    const isKept = sessionStorage.getItem(NOTICE_KEY) !== null;
    sessionStorage.removeItem(NOTICE_KEY);
    return isKept;
  } catch {
    return false;
  }
}
