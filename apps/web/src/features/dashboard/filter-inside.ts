/** Finds children inside by a part of their or their parent's name. Pure; the list is on screen, no server is asked. */
import type { Child } from '@haris/contract/objects';

/**
 * A name as it is compared: no case, no accents or harakat, one form of alef, yaa and taa marbuta, no tatweel
 * (`أحمد` and `احمد`, `José` and `jose`).
 */
export function foldName(text: string): string {
  return (
    text
      // Takes accents, harakat, hamza and madda off the letters that carry them.
      .normalize('NFKD')
      .replace(/[\p{M}\u0640]/gu, '')
      .replace(/\u0671/g, '\u0627')
      .replace(/\u0649/g, '\u064a')
      .replace(/\u0629/g, '\u0647')
      .toLowerCase()
      .trim()
  );
}

/** Those whose name, or whose parent's, has `typed` in it; all when nothing was typed. In the same order. */
export function filterInside(inside: readonly Child[], typed: string): readonly Child[] {
  const wanted = foldName(typed);
  if (wanted === '') return inside;
  return inside.filter(
    (child) => foldName(child.name).includes(wanted) || foldName(child.parent.name).includes(wanted),
  );
}
