/** The position of the first run's checklist on the dashboard, and whether this device expects it above the lists. */
import type { Setup } from '@haris/contract/http/setup';

const KEY = 'haris.has-families';

/** Above the lists while there is no family, below them afterwards; null once it is complete or hidden. */
export function placeOfChecklist({ dismissed, items, sample }: Setup): 'top' | 'bottom' | null {
  if (dismissed || items.every(({ state }) => state !== 'open')) return null;
  const hasFamily = items.some(({ id, state }) => id === 'family' && state === 'done');
  return hasFamily || sample === 'present' ? 'bottom' : 'top';
}

/** False once this device has seen a dashboard without the checklist above its lists. */
export function mayComeAbove(): boolean {
  try {
    return localStorage.getItem(KEY) === null;
  } catch {
    return false;
  }
}

/** Remembers where the checklist was, for the next start of this device. */
export function keepPlace(place: 'top' | 'bottom' | null): void {
  try {
    if (place === 'top') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, '1');
  } catch {
    // Without storage the lists move once when the checklist comes.
  }
}
