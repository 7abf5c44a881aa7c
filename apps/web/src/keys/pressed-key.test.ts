import { describe, expect, test } from 'vitest';
import { nameOfKey } from './pressed-key.ts';

const press = (key: string, code: string, held: Partial<Parameters<typeof nameOfKey>[0]> = {}) =>
  nameOfKey({ key, code, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held });

describe('the name of a pressed key', () => {
  test.each([
    ['a letter', press('n', 'KeyN'), 'n'],
    ['a letter with Caps Lock', press('N', 'KeyN'), 'n'],
    ['the letter that AZERTY has there', press('a', 'KeyQ'), 'a'],
    ['the place of an Arabic letter', press('ى', 'KeyN'), 'n'],
    ['a question mark', press('?', 'Slash', { shiftKey: true }), '?'],
    ['an Arabic question mark', press('؟', 'Slash', { shiftKey: true }), '?'],
    ['a slash on an Arabic keyboard', press('ظ', 'Slash'), '/'],
    ['a slash on a German keyboard', press('/', 'Digit7', { shiftKey: true }), '/'],
    ['Ctrl', press('k', 'KeyK', { ctrlKey: true }), 'mod+k'],
    ['⌘', press('k', 'KeyK', { metaKey: true }), 'mod+k'],
    ['Ctrl on an Arabic keyboard', press('ن', 'KeyK', { ctrlKey: true }), 'mod+k'],
  ])('%s', (_what, name, expected) => expect(name).toBe(expected));

  test.each([
    ['Shift with a letter', press('N', 'KeyN', { shiftKey: true })],
    ['Ctrl with Shift', press('K', 'KeyK', { ctrlKey: true, shiftKey: true })],
    ['Ctrl and Alt, which screen readers use', press('n', 'KeyN', { ctrlKey: true, altKey: true })],
    ['a key with a name', press('Escape', 'Escape')],
    ['a dead key', press('Dead', 'BracketLeft')],
  ])('%s is none', (_what, name) => expect(name).toBe(''));
});
