/** Whether the rail is folded on this device, for whoever draws before the rail is there. */

export const RAIL_FOLDED_KEY = 'haris.sidebar-folded';

export function isRailFolded(): boolean {
  try {
    return localStorage.getItem(RAIL_FOLDED_KEY) === 'true';
  } catch {
    // Storage is forbidden: nothing is remembered.
    return false;
  }
}
