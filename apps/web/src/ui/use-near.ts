/** Reports whether an element has come near the visible part of the page; stays true from then on. */
import { useCallback, useState } from 'react';

/** Distance from the visible part of the page that counts as near. */
const NEAR = '300px';

const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** All elements share one observer, because a list has hundreds of pictures. */
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
