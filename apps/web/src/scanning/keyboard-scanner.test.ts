import { expect, test } from 'vitest';
import { createScannerReader, type PressedKey } from './keyboard-scanner.ts';

const ENTRY_ID = 'aZ09-_bcdefghijklmnopqrstuvwxyzABCDEFGHIJKL';

function codeOf(letter: string): string {
  if (/[a-z]/i.test(letter)) return `Key${letter.toUpperCase()}`;
  if (letter === '.') return 'Period';
  return /[0-9]/.test(letter) ? `Digit${letter}` : 'Minus';
}

/** Key presses of a scanner on a Latin keyboard, `pause` milliseconds apart. */
function keysOf(text: string, pause = 5): PressedKey[] {
  return [...text].map((key, index) => ({
    key,
    code: codeOf(key),
    shift: /[A-Z_]/.test(key),
    at: index * pause,
  }));
}

const enterAfter = (keys: readonly PressedKey[], pause = 5): PressedKey => ({
  key: 'Enter',
  code: 'Enter',
  shift: false,
  at: (keys.at(-1)?.at ?? 0) + pause,
});

function scan(keys: readonly PressedKey[], pause?: number) {
  const reader = createScannerReader();
  for (const key of keys) expect(reader.press(key)).toBeNull();
  return reader.press(enterAfter(keys, pause));
}

test('a scanned slip is found, also from a slow scanner and with its shift keys', () => {
  expect(scan(keysOf(ENTRY_ID))).toEqual({ codes: [ENTRY_ID] });
  expect(scan(keysOf(ENTRY_ID, 300), 300)).toEqual({ codes: [ENTRY_ID] });
  const shifted = keysOf(ENTRY_ID).flatMap((key) =>
    key.shift ? [{ ...key, key: 'Shift', code: 'ShiftLeft' }, key] : [key],
  );
  expect(scan(shifted)).toEqual({ codes: [ENTRY_ID] });
});

test('the token of a newer slip belongs to the code', () => {
  const code = `${ENTRY_ID}.0123456789abcdef0123456789abcdef`;
  expect(scan(keysOf(code))).toEqual({ codes: [code] });
  expect(scan(keysOf(`x7${code}`))).toEqual({ codes: [code] });
  const arabic = keysOf(code).map((key) => (/^(Key|Period)/.test(key.code) ? { ...key, key: 'ش' } : key));
  expect(scan(arabic)).toEqual({ codes: [code] });
});

test('what the scanner sends before the code does not spoil it', () => {
  expect(scan(keysOf(`x7${ENTRY_ID}`))).toEqual({ codes: [ENTRY_ID] });
});

test('under an Arabic keyboard the places of the keys tell', () => {
  const arabic = keysOf(ENTRY_ID).map((key) => (/^Key/.test(key.code) ? { ...key, key: 'ش' } : key));
  expect(scan(arabic)).toEqual({ codes: [ENTRY_ID] });
});

test('with Caps Lock both readings are told', () => {
  const turned = (letter: string) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  const caps = keysOf(ENTRY_ID).map((key) =>
    /^Key/.test(key.code) ? { ...key, key: turned(key.key) } : key,
  );
  expect(scan(caps)?.codes).toEqual([[...ENTRY_ID].map(turned).join(''), ENTRY_ID]);
});

test('another bar code is a scanner’s, and no slip', () => {
  expect(scan(keysOf('6221234567890'))).toEqual({ codes: [] });
  expect(scan(keysOf(ENTRY_ID.slice(1)))).toEqual({ codes: [] });
});

test('a person who types, or presses Enter alone, is not taken for a scanner', () => {
  expect(scan(keysOf('mona', 150))).toBeNull();
  expect(scan(keysOf('6221', 20), 150)).toBeNull();
  expect(scan(keysOf('abc'))).toBeNull();
  expect(scan([])).toBeNull();
});

test('each Enter and each long pause begins anew', () => {
  const reader = createScannerReader();
  const keys = keysOf(ENTRY_ID);
  for (const key of keys) reader.press(key);
  reader.press(enterAfter(keys));
  expect(reader.isEmpty()).toBe(true);
  expect(reader.press(enterAfter(keys, 10))).toBeNull();
  for (const key of keys.slice(0, 20)) reader.press(key);
  for (const key of keys.slice(20)) reader.press({ ...key, at: key.at + 5000 });
  expect(reader.press(enterAfter(keys, 5005))?.codes).toEqual([]);
});
