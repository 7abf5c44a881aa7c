/** Listens for a scanner that types like a keyboard, wherever the focus is, but not in a field that is being filled in. */
import { useEffect, useEffectEvent } from 'react';
import { createScannerReader } from './keyboard-scanner.ts';

export interface KeyboardScannerHandlers {
  /** The entry ids that it may be, the likelier first. */
  onCodes: (codes: readonly string[]) => void;
  /** Something else was scanned. */
  onOther: () => void;
}

/** `search`: what a scanner types into it is taken out again. `field`: somebody fills it in. `none`: neither. */
function placeOf(target: EventTarget | null): 'search' | 'field' | 'none' {
  if (target instanceof HTMLInputElement) {
    if (target.type === 'search') return 'search';
    return ['checkbox', 'radio', 'button', 'submit', 'file'].includes(target.type) ? 'none' : 'field';
  }
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('textarea, select'))
    ? 'field'
    : 'none';
}

/** Sets a field that React controls, so that React hears of it. */
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
      // In the search box Enter does nothing by itself, and a person may be quick.
      if (scanned === null || (search !== null && scanned.codes.length === 0)) return;
      // The button that has the focus must not be pressed by a scanner: it may check another child out.
      event.preventDefault();
      event.stopPropagation();
      if (search !== null) setValue(search, before);
      tell(scanned.codes);
    }

    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}
