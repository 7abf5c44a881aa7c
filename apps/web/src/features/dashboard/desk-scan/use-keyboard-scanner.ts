/**
 * Listens for a keyboard-emulating scanner on the whole page, except in form fields other than search boxes. What is scanned in a dialog above the
 * whole page (a danger, the roll call, the list without a connection) has no effect: what it opens would lie behind that dialog.
 */
import { useEffect, useEffectEvent } from 'react';
import { createScannerReader } from '../../../scanning/keyboard-scanner.ts';

export interface KeyboardScannerHandlers {
  /** Called with the possible entry ids, the most likely first. */
  onCodes: (codes: readonly string[]) => void;
  /** Called when the scanned code is not an entry id. */
  onOther: () => void;
}

/**
 * `search`: a search box; scanned text is removed from it. `field`: any other input of text, where scans are ignored.
 * `none`: anything else.
 */
function placeOf(target: EventTarget | null): 'search' | 'field' | 'none' {
  if (target instanceof HTMLInputElement) {
    if (target.type === 'search') return 'search';
    return ['checkbox', 'radio', 'button', 'submit', 'file'].includes(target.type) ? 'none' : 'field';
  }
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('textarea, select'))
    ? 'field'
    : 'none';
}

/** True in a dialog of the browser's top layer; our other dialogs are part of the page. */
function isAbovePage(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog') !== null;
}

/** Sets the value of a field controlled by React and fires the event that notifies React. */
function setValue(input: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

export function useKeyboardScanner({ onCodes, onOther }: KeyboardScannerHandlers): void {
  const tell = useEffectEvent((codes: readonly string[]) => {
    if (codes.length > 0) onCodes(codes);
    else onOther();
  });

  useEffect(() => {
    const reader = createScannerReader();
    let before = '';

    function onKeyDown(event: KeyboardEvent): void {
      const place = placeOf(event.target);
      if (place === 'field' || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) {
        reader.forget();
        return;
      }
      const search = place === 'search' ? (event.target as HTMLInputElement) : null;
      if (search !== null && reader.isEmpty()) before = search.value;
      const scanned = reader.press({
        key: event.key,
        code: event.code,
        shift: event.shiftKey,
        at: event.timeStamp,
      });
      // Enter has no effect in the search box, and a fast typist may look like a scanner.
      if (scanned === null || (search !== null && scanned.codes.length === 0)) return;
      // The scanner's Enter must not press the focused button: it may check another child out.
      event.preventDefault();
      event.stopPropagation();
      if (search !== null) setValue(search, before);
      if (!isAbovePage(event.target)) tell(scanned.codes);
    }

    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}
