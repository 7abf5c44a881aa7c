/**
 * Tells a scanner that types like a keyboard from a person: fast keys, ended by Enter. Pure: knows no page.
 * What a scanner types depends on the keyboard that the system believes in: under an Arabic one its letters come as
 * Arabic ones, and Caps Lock turns them round. So the keys' places are read as well as their letters.
 */
import { entryIdSchema } from '@haris/contract/fields';

export interface PressedKey {
  /** `KeyboardEvent.key`, `code` and `shiftKey`. */
  readonly key: string;
  readonly code: string;
  readonly shift: boolean;
  /** Milliseconds on any steady clock. */
  readonly at: number;
}

export interface Scanned {
  /** The entry ids it may be: as typed, and as on a keyboard of Latin letters. None for what is no slip. */
  readonly codes: readonly string[];
}

export interface ScannerReader {
  /** A key was pressed. An answer: with this Enter a scanner has ended, and nobody else should hear of it. */
  press: (key: PressedKey) => Scanned | null;
  /** What was pressed until now belongs to something else. */
  forget: () => void;
  /** Whether nothing has been pressed yet. */
  isEmpty: () => boolean;
}

/** Longest pause between two keys of a scanner, in milliseconds; people are slower. */
const FAST_MS = 100;
/** A code as a whole is one also when it comes slowly, from a busy machine perhaps. */
const PAUSE_MS = 1000;
/** Fewer fast keys are a person's. */
const BURST_KEYS = 4;
const CODE_LENGTH = 43;

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
        // Shift, arrows and the like have longer names.
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
  // Some scanners send a mark of the symbol before what it says.
  const last = keys.slice(-CODE_LENGTH);
  const readings = [last.map(({ key }) => key).join(''), last.map(latinOf).join('')];
  return [...new Set(readings)].filter((text) => entryIdSchema.safeParse(text).success);
}

/** What a key writes on a keyboard of Latin letters, '' where that is nothing of an entry id. */
function latinOf({ code, shift }: PressedKey): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter !== undefined) return shift ? letter : letter.toLowerCase();
  if (code === 'Minus') return shift ? '_' : '-';
  return /^(?:Digit|Numpad)([0-9])$/.exec(code)?.[1] ?? '';
}
