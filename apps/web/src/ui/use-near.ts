/** Whether an element has come near the visible part of the page; once it has, it stays so. */
import { useCallback, useState } from 'react';

/** How far outside the page's visible part counts as near. */
const NEAR = '300px';

const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** One observer for all: a list has hundreds of pictures. */
function watch(element: Element, onNear: () => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.();
    },
    { rootMargin: NEAR },
  );
  const stop = () => {
    waiting.delete(element);
    observer?.unobserve(element);
  };
  waiting.set(element, () => {
    stop();
    onNear();
  });
  observer.observe(element);
  return stop;
}

/** Put `ref` on the element. */
export function useNear(): { ref: (element: Element | null) => (() => void) | undefined; isNear: boolean } {
  const [isNear, setNear] = useState(false);
  const ref = useCallback(
    (element: Element | null) => (element === null ? undefined : watch(element, () => setNear(true))),
    [],
  );
  return { ref, isNear };
}
