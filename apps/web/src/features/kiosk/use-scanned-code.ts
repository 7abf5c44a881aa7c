/** Reads the code of a parent's phone from a scanner that types like a keyboard; null for any other code. */
import { useEffect, useEffectEvent } from 'react';
import { createScannerReader } from '../../scanning/keyboard-scanner.ts';

export function useScannedCode(active: boolean, onCode: (code: string | null) => void): void {
  const tell = useEffectEvent(onCode);
  useEffect(() => {
    if (!active) return;
    const reader = createScannerReader();
    function onKeyDown(event: KeyboardEvent): void {
      if (event.target instanceof HTMLInputElement) return;
      const { key, code, shiftKey: shift, timeStamp: at } = event;
      const scanned = reader.press({ key, code, shift, at });
      if (scanned === null) return;
      event.preventDefault();
      event.stopPropagation();
      // The last reading is by the positions of the keys, which no keyboard layout changes.
      tell(scanned.codes.at(-1) ?? null);
    }
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [active]);
}
