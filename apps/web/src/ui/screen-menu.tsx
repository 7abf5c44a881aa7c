/** A place in the header's menu for what belongs to the screen below it. Knows neither. */
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';

let slot: HTMLElement | null = null;
const listeners = new Set<() => void>();

function offer(element: HTMLElement | null): void {
  slot = element;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Where the screen's entries stand; `onPress` hears of a press on any of them, before they do. */
export function ScreenMenuSlot({ onPress }: { onPress: () => void }) {
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  useEffect(() => {
    if (element === null) return;
    offer(element);
    // Of the browser's own: React tells those who render the entries, not those around the place.
    element.addEventListener('click', onPress);
    return () => {
      element.removeEventListener('click', onPress);
      offer(null);
    };
  }, [element, onPress]);
  return <div ref={setElement} />;
}

/** Puts entries into the header's menu while this is shown. */
export function ScreenMenu({ children }: { children: ReactNode }) {
  const place = useSyncExternalStore(subscribe, () => slot);
  return place === null ? null : createPortal(children, place);
}
