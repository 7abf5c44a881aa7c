/** Names a pressed key as shortcuts do, with every keyboard layout. Pure; no DOM. */

export interface PressedKey {
  /** The fields of `KeyboardEvent`. */
  readonly key: string;
  readonly code: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/**
 * `n`, `?`, `mod+k`; '' for a key that no shortcut can have. An Arabic layout types other letters, so its keys go by
 * their place on the keyboard. A Latin layout goes by the letter, because AZERTY and Dvorak have theirs elsewhere.
 */
export function nameOfKey(pressed: PressedKey): string {
  if (pressed.altKey) return '';
  const character = characterOf(pressed);
  if (character === '') return '';
  if (pressed.ctrlKey || pressed.metaKey) return pressed.shiftKey ? '' : `mod+${character}`;
  // Shift makes another character of a sign, and is not part of a letter's shortcut.
  return pressed.shiftKey && /[a-z]/.test(character) ? '' : character;
}

function characterOf({ key, code, shiftKey }: PressedKey): string {
  if (/^[!-~]$/.test(key)) return key.toLowerCase();
  // Named keys such as Shift and Escape.
  if ([...key].length !== 1) return '';
  if (code === 'Slash') return shiftKey ? '?' : '/';
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? '';
}
