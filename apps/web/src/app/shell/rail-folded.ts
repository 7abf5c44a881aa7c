/** Whether the rail is folded on this device. A separate file, because the place of the rail renders before the rail has loaded. */

export const RAIL_FOLDED_KEY = 'haris.sidebar-folded';

export function isRailFolded(): boolean {
  try {
    return localStorage.getItem(RAIL_FOLDED_KEY) === 'true';
  } catch {
    // Storage is blocked, so nothing was saved.
    return false;
  }
}
