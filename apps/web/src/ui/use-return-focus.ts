/** Returns the focus to the element that opened a dialog. */
import { useEffect, useInsertionEffect, useRef } from 'react';

/** Delay after closing, because the dialog may remain in the page, with the focus, for a moment. Milliseconds. */
const AFTER_CLOSING_MS = 10;

/**
 * Replaces the library's own version, which reads the focus after the dialog has mounted. With reduced motion, the
 * dialog's first field already has the focus by then.
 */
export function useReturnFocus(opened: boolean, isWanted: boolean): void {
  const opener = useRef<Element | null>(null);
  // Runs before the dialog is in the page, so before one of its fields takes the focus.
  useInsertionEffect(() => {
    if (opened) opener.current = document.activeElement;
  }, [opened]);

  useEffect(() => {
    const back = opener.current;
    if (opened || back === null) return;
    opener.current = null;
    if (!isWanted || !(back instanceof HTMLElement)) return;
    const atClosing = document.activeElement;
    const timer = setTimeout(() => {
      // Do nothing if the focus has moved elsewhere.
      const now = document.activeElement;
      if (now === null || now === document.body || now === atClosing) back.focus({ preventScroll: true });
    }, AFTER_CLOSING_MS);
    return () => clearTimeout(timer);
  }, [opened, isWanted]);
}
