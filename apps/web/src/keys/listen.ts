/** Listens for the keys of registered shortcuts on the whole page, and carries them out. */
import { areSingleKeysOn } from './keys-setting.ts';
import { nameOfKey } from './pressed-key.ts';
import { beginsShortcut, findShortcut } from './shortcuts.ts';

/** Longest pause between the two keys of a shortcut such as `g d`, in milliseconds. */
const SECOND_KEY_MS = 1500;
/**
 * Keys that follow each other faster come from a scanner of slips, which types letters too. A person needs longer. In
 * milliseconds.
 */
const SCANNER_MS = 40;

/** Inputs that take no text. */
const WITHOUT_TEXT = ['button', 'checkbox', 'file', 'image', 'radio', 'range', 'reset', 'submit'];

/** True where a letter means something else: fields, and lists in which letters choose an entry. */
function takesLetters(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !WITHOUT_TEXT.includes(target.type);
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest('textarea, select, [role=menu], [role=listbox], [role=application]') !== null
  );
}

function isDialogOpen(): boolean {
  return document.querySelector('[aria-modal=true], dialog[open]') !== null;
}

/** Starts listening. Returns a function that stops it. */
export function listenForShortcuts(): () => void {
  let first = { key: '', at: 0 };
  let lastAt = Number.NEGATIVE_INFINITY;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  function pressCharacter(event: KeyboardEvent, key: string): void {
    const isFast = event.timeStamp - lastAt < SCANNER_MS;
    lastAt = event.timeStamp;
    clearTimeout(waiting);
    const isSecond = first.key !== '' && event.timeStamp - first.at < SECOND_KEY_MS;
    const keys = isSecond ? `${first.key} ${key}` : key;
    first = { key: '', at: 0 };
    if (isFast || !areSingleKeysOn() || takesLetters(event.target) || isDialogOpen()) return;
    if (!isSecond && beginsShortcut(key)) {
      first = { key, at: event.timeStamp };
      return;
    }
    const shortcut = findShortcut(keys);
    if (shortcut === undefined) return;
    // Firefox opens its own search for a slash and an apostrophe.
    event.preventDefault();
    waiting = setTimeout(shortcut.run, SCANNER_MS);
  }

  function pressWithControl(event: KeyboardEvent, keys: string): void {
    const shortcut = findShortcut(keys);
    if (shortcut === undefined) return;
    if (!shortcut.anywhere && (takesLetters(event.target) || isDialogOpen())) return;
    event.preventDefault();
    shortcut.run();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.repeat || event.isComposing) return;
    const keys = nameOfKey(event);
    if (keys === '') return;
    if (keys.startsWith('mod+')) pressWithControl(event, keys);
    else pressCharacter(event, keys);
  }

  addEventListener('keydown', onKeyDown);
  return () => {
    clearTimeout(waiting);
    removeEventListener('keydown', onKeyDown);
  };
}
