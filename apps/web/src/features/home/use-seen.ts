/** Whether an element has ever been sufficiently visible. */
import { useCallback, useState } from 'react';

/** Put `ref` on the element; `share` is the required visible fraction, 0–1. */
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
