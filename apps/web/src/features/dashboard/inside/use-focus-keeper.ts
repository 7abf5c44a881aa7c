/** Keeps the keyboard focus in a list whose rows may disappear. */
import { type FocusEvent, useLayoutEffect, useRef } from 'react';

interface Identified {
  readonly _id: string;
}

/**
 * For a list with one focusable element per row, in the order of `rows`: when the focused row disappears, the row that
 * takes its place gets the focus, or `onEmptied` is called if none is left. Spread the result onto the list.
 */
export function useFocusKeeper(rows: readonly Identified[], onEmptied: () => void) {
  const list = useRef<HTMLUListElement>(null);
  const focused = useRef<{ id: string; index: number } | null>(null);

  useLayoutEffect(() => {
    const was = focused.current;
    if (was === null) return;
    const index = rows.findIndex((row) => row._id === was.id);
    if (index >= 0) {
      was.index = index;
      return;
    }
    focused.current = null;
    // React fires no blur event for an element that it removes, so the removed row still had the focus.
    const heir = list.current?.children[Math.min(was.index, rows.length - 1)];
    if (heir instanceof HTMLElement) heir.focus();
    else onEmptied();
  }, [rows, onEmptied]);

  return {
    ref: list,
    onFocus(event: FocusEvent<HTMLUListElement>) {
      const items = [...event.currentTarget.children];
      const index = items.findIndex((item) => item.contains(event.target));
      const row = rows[index];
      focused.current = row === undefined ? null : { id: row._id, index };
    },
    onBlur() {
      focused.current = null;
    },
  };
}
