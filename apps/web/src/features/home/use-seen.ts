/** Whether enough of an element has been seen once; it stays so. */
import { useCallback, useState } from 'react';

/** Put `ref` on the element; `share` is how much of it must be on the screen, 0–1. */
export function useSeen(share: number) {
  const [isSeen, setSeen] = useState(false);
  const ref = useCallback(
    (element: Element | null) => {
      if (element === null) return;
      const observer = new IntersectionObserver(
        (entries) => {
          if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
          observer.disconnect();
          setSeen(true);
        },
        { threshold: share },
      );
      observer.observe(element);
      return () => observer.disconnect();
    },
    [share],
  );
  return { ref, isSeen };
}
