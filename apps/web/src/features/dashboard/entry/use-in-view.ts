/** Whether staff had the chance to see what they confirm: every photo and every changed detail was in view. */
import { useEffect, useEffectEvent, useRef } from 'react';

/** What has to be in view, each part by itself, because all together may be higher than a phone. */
const PARTS = 'figure, dd';
/** Share of a part that counts as in view, 0–1: not 1, because edges lie on fractions of pixels. */
const SHARE = 0.9;

/**
 * Put the returned ref on the element around the parts. `onSeen` is called with `revision` once each of them was in view;
 * with a new revision all of them have to be in view again. Null asks for nothing. A new number in `lookRequest` scrolls
 * to the first part that was not.
 */
export function useInView(revision: string | null, onSeen: (revision: string) => void, lookRequest: number) {
  const box = useRef<HTMLDivElement>(null);
  const unseen = useRef<Set<Element>>(new Set());
  const tell = useEffectEvent(onSeen);

  useEffect(() => {
    if (revision === null || box.current === null) return;
    const parts = new Set(box.current.querySelectorAll(PARTS));
    unseen.current = parts;
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) if (isIntersecting) parts.delete(target);
        if (parts.size > 0) return;
        observer.disconnect();
        tell(revision);
      },
      { threshold: SHARE },
    );
    for (const part of parts) observer.observe(part);
    return () => observer.disconnect();
  }, [revision]);

  useEffect(() => {
    if (lookRequest === 0) return;
    const [next] = unseen.current;
    next?.scrollIntoView({ block: 'center' });
  }, [lookRequest]);

  return box;
}
