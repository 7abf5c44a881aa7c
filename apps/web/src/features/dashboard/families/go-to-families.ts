/** Moves to the section of families on the dashboard. */

/** Element id of the section's heading; also the hash of its address. */
export const FAMILIES_ID = 'families-title';

/** Focuses the heading of the families, and scrolls to it unless told otherwise. */
export function goToFamilies({ scroll = true } = {}): void {
  const heading = document.getElementById(FAMILIES_ID);
  heading?.focus({ preventScroll: true });
  if (scroll) heading?.scrollIntoView({ block: 'start' });
}
