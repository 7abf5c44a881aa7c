/** A live stream drawn on a canvas, and what there is to say of it. */
import type { PictureHeader } from '@haris/contract/live/video';
import { useCallback, useEffect, useRef, useState } from 'react';
import { serverNow } from '../client/server-clock.ts';
import { type Freshness, freshnessOf, type LastPicture } from './freshness.ts';
import { createImageWatch } from './image-watch.ts';
import { noStream, openLiveStream, type StreamTarget, type StreamView } from './live-stream.ts';
import { createPainter } from './painter.ts';

export type Faces = NonNullable<PictureHeader['faces']>;

export interface ShownStream {
  readonly view: StreamView;
  readonly freshness: Freshness;
  /** Who is in the picture now, where the server says it (to staff). */
  readonly faces: Faces;
  /** Pictures come, but for some time none in which the child that is looked for is sharp. Not known of an image element. */
  readonly isUnrecognised: boolean;
  /** Width by height of the picture; null before the first. */
  readonly ratio: number | null;
  /** For the image element that shows the stream where no socket could be had. */
  readonly onImageLoad: (image: HTMLImageElement) => void;
  readonly onImageError: () => void;
}

export interface ShownStreamOptions {
  readonly target: StreamTarget;
  /** Null until it is there. */
  readonly canvas: HTMLCanvasElement | null;
  /** The stream is wanted at all. */
  readonly isOn: boolean;
  /** Milliseconds after each picture before the next is asked for: a wall of pictures needs fewer. */
  readonly paceMs: number;
}

const NOBODY: Faces = [];
/** Boxes of a picture are shown until the next ones come, but not longer. Milliseconds. */
const FACES_KEPT_MS = 1_000;
/** A child that turns round is not lost at once: so long without a sharp region, and the page says why. Milliseconds. */
const UNRECOGNISED_AFTER_MS = 4_000;
/** How often the mark on the picture is looked after. Milliseconds. */
const MARK_MS = 250;
/** An image element whose picture does not change for this long is opened anew: it does not tell its end. Milliseconds. */
const IMAGE_STILL_MS = 30_000;

const isSame = (a: Freshness, b: Freshness): boolean => JSON.stringify(a) === JSON.stringify(b);

export function useLiveStream({ target, canvas, isOn, paceMs }: ShownStreamOptions): ShownStream {
  const { kind, id } = target;
  const [view, setView] = useState(noStream);
  const [freshness, setFreshness] = useState<Freshness>({ kind: 'none' });
  const [faces, setFaces] = useState(NOBODY);
  const [isUnrecognised, setUnrecognised] = useState(false);
  const [ratio, setRatio] = useState<number | null>(null);
  const image = useRef({ load: (_image: HTMLImageElement) => {}, fail: () => {} });

  useEffect(() => {
    if (!isOn || canvas === null) return;
    let last: LastPicture | null = null;
    let facesAt = 0;
    /** When the child was sharp, or the first picture came; null before that. */
    let sharpAt: number | null = null;
    const mark = (): void => {
      const now = freshnessOf(last, serverNow(), performance.now());
      setFreshness((before) => (isSame(before, now) ? before : now));
      if (performance.now() - facesAt > FACES_KEPT_MS) setFaces(NOBODY);
      setUnrecognised(sharpAt !== null && performance.now() - sharpAt > UNRECOGNISED_AFTER_MS);
    };
    const note = (capturedAt: number): void => {
      const isBack = last === null || freshnessOf(last, serverNow(), performance.now()).kind === 'frozen';
      last = { capturedAt, drawnAt: performance.now() };
      if (isBack) mark();
    };
    const painter = createPainter(canvas, (header) => {
      note(header.capturedAt);
      setRatio(header.width / header.height);
      if (kind === 'child' && (sharpAt === null || header.layers.some(({ childId }) => childId === id)))
        sharpAt = performance.now();
      if (header.faces === undefined) return;
      facesAt = performance.now();
      setFaces(header.faces);
    });
    const forget = (): void => {
      painter.clear();
      last = null;
      sharpAt = null;
      setFreshness({ kind: 'none' });
      setFaces(NOBODY);
      setUnrecognised(false);
    };
    const watch = createImageWatch({
      onChanged: () => note(serverNow()),
      onStill: () => image.current.fail(),
      stillMs: IMAGE_STILL_MS,
    });
    const stream = openLiveStream(
      { kind, id },
      {
        onPicture: (header, layers, taken) =>
          painter.push({
            header,
            layers,
            taken: () => (paceMs === 0 ? taken() : void setTimeout(taken, paceMs)),
          }),
        onView: (now) => {
          // Whoever is not to be seen any more must not remain on the screen.
          if (now.link === 'ended' || now.waiting === 'child_outside') forget();
          if (now.imageUrl === null) watch.stop();
          setView(now);
        },
      },
    );
    image.current = {
      load(element) {
        setRatio(element.naturalWidth / element.naturalHeight);
        watch.start(element);
      },
      fail: stream.imageFailed,
    };
    const timer = setInterval(mark, MARK_MS);
    return () => {
      clearInterval(timer);
      watch.stop();
      stream.stop();
      forget();
      setView(noStream);
    };
  }, [kind, id, canvas, isOn, paceMs]);

  const onImageLoad = useCallback((element: HTMLImageElement) => image.current.load(element), []);
  const onImageError = useCallback(() => image.current.fail(), []);
  return { view, freshness, faces, isUnrecognised, ratio, onImageLoad, onImageError };
}
