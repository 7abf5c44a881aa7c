/** Keeps what is typed after Register Entry was opened and before its field is there, because its code may still load. */

let typed: string | null = null;

/** A key that writes one character. The first space is none: it presses the button that has the focus. */
function isCharacter({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  if (isComposing || ctrlKey || metaKey || altKey) return false;
  return [...key].length === 1 && !(key === ' ' && typed === '');
}

function isIn({ target }: KeyboardEvent, places: string): boolean {
  return target instanceof Element && target.closest(places) !== null;
}

/** True in a field, which takes the letters itself. */
function isInField(event: KeyboardEvent): boolean {
  return isIn(event, 'input, textarea, select, [contenteditable]');
}

/** The Enter after a name is meant for the field. The button behind that has the focus may check another child out. */
function isEnterAhead(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && typed !== '' && !isIn(event, '[role=dialog], dialog');
}

function onKeyDown(event: KeyboardEvent): void {
  if (typed === null || event.defaultPrevented || isInField(event)) return;
  if (isCharacter(event)) typed += event.key;
  else if (event.key === 'Backspace') typed = [...typed].slice(0, -1).join('');
  else if (event.key === 'Escape') takeTyped();
  else if (!isEnterAhead(event)) return;
  // Letters are shortcuts too, and a space would press the button that has the focus.
  event.preventDefault();
}

/** Starts keeping letters; goes on if it had started. */
export function keepTyped(): void {
  if (typed !== null) return;
  typed = '';
  addEventListener('keydown', onKeyDown, { capture: true });
}

/** Stops, and returns what was typed. */
export function takeTyped(): string {
  const taken = typed ?? '';
  typed = null;
  removeEventListener('keydown', onKeyDown, { capture: true });
  return taken;
}
