/** Whether the rooms are folded to one line on this device; on phones they are until somebody opens them. */
const KEY = 'haris.rooms-folded';
/** Below this width (48em) it is a phone. public/boot.js decides by the same key and width. */
const PHONE_BELOW_PX = 768;

export function areRoomsFolded(): boolean {
  try {
    const kept = localStorage.getItem(KEY);
    if (kept !== null) return kept === 'true';
  } catch {
    // Storage is blocked, so nothing was saved.
  }
  return innerWidth < PHONE_BELOW_PX;
}

/** Remembers the choice; without storage it lasts as long as the screen. */
export function keepRoomsFolded(isFolded: boolean): void {
  try {
    localStorage.setItem(KEY, String(isFolded));
  } catch {
    // The screen keeps it.
  }
}
