/** The registry of keyboard shortcuts. Every shortcut of the page is in it, and `?` lists it. Knows no screen. */
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';

/** Headings of the list of keys, in the order in which they are shown. */
export const SHORTCUT_GROUPS = ['everywhere', 'desk', 'child', 'list', 'screens'] as const;
export type ShortcutGroup = (typeof SHORTCUT_GROUPS)[number];

export interface Shortcut {
  /** One key (`n`, `?`), two in a row (`g d`), or a key with Ctrl, which is ⌘ on a Mac (`mod+k`). Lower case. */
  readonly keys: string;
  readonly group: ShortcutGroup;
  /** Description of the shortcut in the list of shortcuts. */
  readonly label: string;
  readonly run: () => void;
  /** Works while somebody types and while a dialog is open. Only for keys with `mod`. */
  readonly anywhere?: boolean;
}

let registered: readonly Shortcut[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Shortcut[]): void {
  registered = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** All shortcuts of the page now. */
export function allShortcuts(): readonly Shortcut[] {
  return registered;
}

/** Adds a shortcut; of two with the same keys the later one acts. Returns a function that removes it. */
function registerShortcut(shortcut: Shortcut): () => void {
  change([...registered, shortcut]);
  return () => change(registered.filter((other) => other !== shortcut));
}

/** The shortcut that acts for these keys now. */
export function findShortcut(keys: string): Shortcut | undefined {
  return registered.findLast((shortcut) => shortcut.keys === keys);
}

/** True if the key is the first of two, as `g` of `g d`. */
export function beginsShortcut(key: string): boolean {
  return registered.some(({ keys }) => keys.startsWith(`${key} `));
}

/** The shortcuts of the page, one for each key, in the order of their registration. */
export function useShortcuts(): readonly Shortcut[] {
  const all = useSyncExternalStore(subscribe, allShortcuts);
  return all.filter((shortcut) => all.findLast(({ keys }) => keys === shortcut.keys) === shortcut);
}

/** Registers a shortcut while the component is mounted and `isWanted`. */
export function useShortcut({ keys, group, label, run, anywhere = false }: Shortcut, isWanted = true): void {
  const act = useEffectEvent(run);
  useEffect(
    () => (isWanted ? registerShortcut({ keys, group, label, anywhere, run: () => act() }) : undefined),
    [keys, group, label, anywhere, isWanted],
  );
}
