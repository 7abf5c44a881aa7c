/** Whether staff had the chance to see what they confirm: every photo and every changed detail was in view. */
import { useEffect, useEffectEvent, useRef } from 'react';

/** What has to be in view, each part by itself, because all together may be higher than a phone. */
const PARTS = 'figure, dd';
/** Share of a part that counts as in view, 0–1: not 1, because edges lie on fractions of pixels. */
const SHARE = 0.9;
/** How long what replaced something seen stands before it counts, in milliseconds: a press meant for the old comes sooner. */
const REPLACED_MS = 1_000;

/** A part marked `data-photo` shows initials until its photo has come, and for good if it does not come. */
function isDrawn(part: Element): boolean {
  if (!part.hasAttribute('data-photo')) return true;
  const image = part.querySelector('img');
  return image?.complete === true && image.naturalWidth > 0;
}

export interface InViewOptions {
  /** Revision of what is shown; null asks for nothing. With a new one all parts have to be in view again. */
  revision: string | null;
  /** Whether staff have seen another revision before. */
  isReplaced: boolean;
  /** Called once each part was drawn and in view. */
  onSeen: (revision: string) => void;
  /** A new number above 0 scrolls to the first part that was not. */
  lookRequest: number;
}

/** Put the returned ref on the element around the parts. */
export function useInView({ revision, isReplaced, onSeen, lookRequest }: InViewOptions) {
  const box = useRef<HTMLDivElement>(null);
  const unseen = useRef<Set<Element>>(new Set());
  const tell = useEffectEvent(onSeen);
  const waitMs = useEffectEvent(() => (isReplaced ? REPLACED_MS : 0));

  useEffect(() => {
    const around = box.current;
    if (revision === null || around === null) return;
    const parts = new Set(around.querySelectorAll(PARTS));
    unseen.current = parts;
    const visible = new Set<Element>();
    let timer: number | undefined;
    const check = () => {
      for (const part of visible) if (isDrawn(part)) parts.delete(part);
      if (parts.size > 0 || timer !== undefined) return;
      observer.disconnect();
      timer = window.setTimeout(() => tell(revision), waitMs());
    };
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (isIntersecting) visible.add(target);
          else visible.delete(target);
        }
        check();
      },
      { threshold: SHARE },
    );
    for (const part of parts) observer.observe(part);
    // Of an image, which does not bubble.
    around.addEventListener('load', check, true);
    return () => {
      observer.disconnect();
      around.removeEventListener('load', check, true);
      window.clearTimeout(timer);
    };
  }, [revision]);

  useEffect(() => {
    if (lookRequest === 0) return;
    const [next] = unseen.current;
    next?.scrollIntoView({ block: 'center' });
  }, [lookRequest]);

  return box;
}
