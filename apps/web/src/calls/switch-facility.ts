/** Changes the facility that this page works at. The page starts over, so nothing of the old facility stays on it. */
import { leaveFor } from '../session/leave.ts';
import { chosenFacility, FACILITY_KEY } from './facility-choice.ts';
import { KEPT_LIST_KEY } from './token-store.ts';

/** `to`: where the page starts over; addresses below a screen may be of a thing at the old facility. */
export function switchFacility(accountId: string, facility: string, to: string): void {
  try {
    localStorage.setItem(`${FACILITY_KEY}.${accountId}`, facility);
    localStorage.setItem(FACILITY_KEY, facility);
    localStorage.removeItem(KEPT_LIST_KEY);
  } catch {
    // Without storage the page starts over where it was.
  }
  leaveFor(to);
}

/** The server knows no role at the chosen facility: forgets the choice and starts over. */
export function forgetFacility(): void {
  const gone = chosenFacility();
  if (gone === null) return;
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(FACILITY_KEY) && localStorage.getItem(key) === gone) localStorage.removeItem(key);
    localStorage.removeItem(KEPT_LIST_KEY);
  } catch {
    return;
  }
  leaveFor('/adminDashboard');
}

/** Another tab has chosen another facility: this one follows. Returns a function that stops it. */
export function followChoice(): () => void {
  const follow = ({ key, newValue }: StorageEvent) => {
    if (key === FACILITY_KEY && newValue !== null && newValue !== chosenFacility()) location.reload();
  };
  addEventListener('storage', follow);
  return () => removeEventListener('storage', follow);
}
