/** Keeps the focus in a list that people tick when the row that has it moves to another section. */
import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react';

const rowOf = (element: Element) => element.closest<HTMLElement>('[data-entry]');

/**
 * A row that moves is made anew, and the focus would be lost with the old one. It goes to the next row that nobody has
 * ticked, or the nearest before it, or the moved row itself. Rows have `data-entry`, a `data-state` once they are ticked, and an input.
 * Spread the result onto the frame of the list.
 */
export function useRowFocus(frame: RefObject<HTMLElement | null>) {
  const focused = useRef<{ readonly element: Element; readonly id: string } | null>(null);
  const order = useRef<readonly string[]>([]);
  const isByKey = useRef(false);

  // Rows move only when the frame renders.
  useLayoutEffect(() => {
    const rows = [...(frame.current?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])];
    const before = order.current;
    order.current = rows.flatMap(({ dataset }) => dataset.entry ?? []);
    const was = focused.current;
    if (was === null || was.element.isConnected) return;
    focused.current = null;
    const { activeElement } = document;
    if (activeElement !== null && activeElement !== document.body) return;
    const place = before.indexOf(was.id);
    const rowWith = (id: string) => rows.find(({ dataset }) => dataset.entry === id);
    const others = [...before.slice(place + 1), ...before.slice(0, Math.max(place, 0)).toReversed()];
    const open = others.map(rowWith).find((row) => row !== undefined && row.dataset.state === undefined);
    const heir = (open ?? rowWith(was.id))?.querySelector('input');
    // Under a finger nothing may scroll.
    heir?.focus({ preventScroll: !isByKey.current });
  });

  return {
    onKeyDownCapture: () => {
      isByKey.current = true;
    },
    onPointerDownCapture: () => {
      isByKey.current = false;
    },
    onFocus: ({ target }: FocusEvent) => {
      const id = rowOf(target)?.dataset.entry;
      focused.current = id === undefined ? null : { element: target, id };
    },
    // React fires none for an element that it removes.
    onBlur: () => {
      focused.current = null;
    },
  };
}
