/** Leads the focus back to what opened a dialog. */
import { useEffect, useInsertionEffect, useRef } from 'react';

/** The dialog may still be in the page for a moment, with the focus in it. Milliseconds. */
const AFTER_CLOSING_MS = 10;

/**
 * The library's own looks where the focus is once the dialog stands there, which is too late for people who ask for no
 * motion: its first field has the focus by then.
 */
export function useReturnFocus(opened: boolean, isWanted: boolean): void {
  const opener = useRef<Element | null>(null);
  // Before the dialog is in the page, and so before a field in it takes the focus.
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
      // Not where somebody has gone elsewhere meanwhile.
      const now = document.activeElement;
      if (now === null || now === document.body || now === atClosing) back.focus({ preventScroll: true });
    }, AFTER_CLOSING_MS);
    return () => clearTimeout(timer);
  }, [opened, isWanted]);
}
