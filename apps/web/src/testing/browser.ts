/** Browser features missing in jsdom: a window size with media queries, observers, scrolling, dialogs, blob addresses. */
import { Blob as NodeBlob, File as NodeFile } from 'node:buffer';
import { Sight } from './sight.ts';

/** Node does not export this class by name. */
const NodeFormData = (await new Response(new URLSearchParams()).formData()).constructor;

/** Widths and heights of test windows, in CSS pixels. */
export const sizes = {
  phone: { width: 390, height: 844 },
  desk: { width: 1440, height: 900 },
} as const;
export type Size = keyof typeof sizes;

const REM_PX = 16;

/** Evaluates `(min-width: 48em)`, `(max-width: 600px)`, colour scheme and motion; all other queries are false. */
function matches(query: string): boolean {
  return query
    .replace(/^(only )?screen and /, '')
    .split(/\s+and\s+/)
    .every((part) => {
      const width = /^\((min|max)-width:\s*([\d.]+)(px|r?em)\)$/.exec(part);
      if (width !== null) {
        const limit = Number(width[2]) * (width[3] === 'px' ? 1 : REM_PX);
        return width[1] === 'min' ? innerWidth >= limit : innerWidth <= limit;
      }
      return part === '(prefers-color-scheme: light)' || part === '(prefers-reduced-motion: reduce)';
    });
}

class QuietObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): [] {
    return [];
  }
}

/** Implements `<dialog>` without a top layer: opening, closing, and Escape. */
function completeDialogs(): void {
  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    for (const dialog of document.querySelectorAll('dialog[open]'))
      if (dialog.dispatchEvent(new Event('cancel', { cancelable: true }))) close(dialog);
  };
  const close = (dialog: Element) => {
    if (!dialog.hasAttribute('open')) return;
    dialog.removeAttribute('open');
    dialog.dispatchEvent(new Event('close'));
  };
  addEventListener('keydown', onEscape);
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.setAttribute('open', '');
  };
  HTMLDialogElement.prototype.close = function closeDialog() {
    close(this);
  };
}

/** An audio context that stays locked; `hearAudio` puts another in its place. */
class SilentAudio extends EventTarget {
  readonly state = 'suspended';
  async resume(): Promise<void> {}
}

/** Gives every element a position in the window, because popovers of an element without one are not shown. */
function giveLayout(): void {
  Element.prototype.getBoundingClientRect = () => new DOMRect(0, 0, 200, 40);
  const { documentElement } = document;
  Object.defineProperty(documentElement, 'clientWidth', { get: () => innerWidth });
  Object.defineProperty(documentElement, 'clientHeight', { get: () => innerHeight });
}

/** Defines a global permanently; stubs of a test are removed after the test. */
function put(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

let nextBlob = 0;

/** Timers that the page has started in this file. */
const timers = new Set<ReturnType<typeof setTimeout>>();

function rememberTimers(): void {
  const start = globalThis.setTimeout;
  put('setTimeout', (...given: Parameters<typeof start>) => {
    const timer = start(...given);
    timers.add(timer);
    return timer;
  });
}

/**
 * Ends what the page still waits for at the end of a file, such as the pause before a socket closes. It would run
 * without a window, and its exception would fail the run outside of any test.
 */
export function stopTimers(): void {
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
}

/** Adds the missing features to the window; call once per test file. */
export function completeBrowser(): void {
  rememberTimers();
  // As over HTTPS.
  put('isSecureContext', true);
  put('matchMedia', (media: string) => {
    const list = new EventTarget() as EventTarget & { addListener: () => void; removeListener: () => void };
    // The component library still uses the old names.
    list.addListener = () => {};
    list.removeListener = () => {};
    return Object.defineProperties(list, {
      media: { value: media },
      matches: { get: () => matches(media) },
    });
  });
  // Use Node's own classes, because its Request cannot send jsdom's.
  put('Blob', NodeBlob);
  put('File', NodeFile);
  put('FormData', NodeFormData);
  put('IntersectionObserver', Sight);
  put('ResizeObserver', QuietObserver);
  put('AudioContext', SilentAudio);
  Object.defineProperty(document, 'fonts', { value: new EventTarget() });
  put('scrollTo', () => {});
  completeDialogs();
  giveLayout();
  Element.prototype.scrollIntoView = () => {};
  URL.createObjectURL = () => `blob:page-test/${nextBlob++}`;
  URL.revokeObjectURL = () => {};
}

/** Resizes the window to that of a phone or a desk. */
export function resizeTo(size: Size): void {
  const { width, height } = sizes[size];
  Object.assign(window, { innerWidth: width, innerHeight: height });
  dispatchEvent(new Event('resize'));
}
