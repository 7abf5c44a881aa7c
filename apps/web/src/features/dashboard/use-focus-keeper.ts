/** Focus in a list whose rows go away by themselves. Knows no child. */
import { type FocusEvent, useLayoutEffect, useRef } from 'react';

interface Identified {
  readonly _id: string;
}

/**
 * For a list that has one focusable element per row, in the order of `rows`: a row that goes away with the focus hands
 * it to the row that takes its place, or calls `onEmptied`. Spread the answer onto the list.
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
    // React hears no blur of what it removes itself, so the row was focused until now.
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
