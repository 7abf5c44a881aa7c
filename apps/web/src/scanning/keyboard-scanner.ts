/**
 * Tells a keyboard-emulating scanner from a person: a scanner presses keys fast and ends with Enter. Pure; no DOM. The
 * system applies the active keyboard layout to a scanner's keys: an Arabic layout yields Arabic letters, and Caps Lock
 * inverts the case. The code is therefore also decoded from the physical key positions.
 */
import { entryIdSchema } from '@haris/contract/fields';

export interface PressedKey {
  /** `KeyboardEvent.key`, `code` and `shiftKey`. */
  readonly key: string;
  readonly code: string;
  readonly shift: boolean;
  /** Milliseconds of any monotonic clock. */
  readonly at: number;
}

export interface Scanned {
  /**
   * Possible codes of slips: from the typed characters, and from the key positions. Empty if the input is not a slip's code.
   */
  readonly codes: readonly string[];
}

export interface ScannerReader {
  /** Processes a key press. Returns a result if this Enter ends a scan; the caller must then stop the event. */
  press: (key: PressedKey) => Scanned | null;
  /** Discards the keys pressed so far. */
  forget: () => void;
  /** True if no keys are buffered. */
  isEmpty: () => boolean;
}

/** Longest pause between two keys of a scanner, in milliseconds; people type more slowly. */
const FAST_MS = 100;
/** Longest pause within a complete code, which a busy machine may deliver slowly. Milliseconds. */
const PAUSE_MS = 1000;
/** Number of fast keys before Enter that identify a scanner. */
const BURST_KEYS = 4;
/** Characters of a slip's code, the longest first: with a token, and on older slips without. */
const CODE_LENGTHS = [43 + 1 + 32, 43] as const;

export function createScannerReader(): ScannerReader {
  let keys: PressedKey[] = [];

  function isBurst(enterAt: number): boolean {
    const last = keys.slice(-BURST_KEYS);
    const moments = [...last.map(({ at }) => at), enterAt];
    return (
      last.length === BURST_KEYS &&
      moments.every((at, index) => index === 0 || at - (moments[index - 1] ?? 0) <= FAST_MS)
    );
  }

  return {
    press(key) {
      if (key.at - (keys.at(-1)?.at ?? key.at) > PAUSE_MS) keys = [];
      if (key.key !== 'Enter') {
        // Keys such as Shift and the arrows have longer names; skip them.
        if ([...key.key].length === 1) keys.push(key);
        return null;
      }
      const codes = findCodes(keys);
      const isScanner = codes.length > 0 || isBurst(key.at);
      keys = [];
      return isScanner ? { codes } : null;
    },
    forget() {
      keys = [];
    },
    isEmpty: () => keys.length === 0,
  };
}

function findCodes(keys: readonly PressedKey[]): string[] {
  for (const length of CODE_LENGTHS) {
    // Some scanners send a prefix for the type of barcode.
    const last = keys.slice(-length);
    const readings = [last.map(({ key }) => key).join(''), last.map(latinOf).join('')];
    const codes = readings.filter((text) => text.length === length && entryIdSchema.safeParse(text).success);
    if (codes.length > 0) return [...new Set(codes)];
  }
  return [];
}

/** The character of a key on a Latin keyboard; '' if it cannot occur in an entry id. */
function latinOf({ code, shift }: PressedKey): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter !== undefined) return shift ? letter : letter.toLowerCase();
  if (code === 'Minus') return shift ? '_' : '-';
  if (code === 'Period' || code === 'NumpadDecimal') return '.';
  return /^(?:Digit|Numpad)([0-9])$/.exec(code)?.[1] ?? '';
}
