/** Draws a live stream on a canvas and reports its state. */
import type { PictureHeader } from '@haris/contract/live/video';
import { useCallback, useEffect, useRef, useState } from 'react';
import { serverNow } from '../calls/server-clock.ts';
import { type Freshness, freshnessOf, frozenAfter, type LastPicture } from './freshness.ts';
import { createImageWatch } from './image-watch.ts';
import { openLiveStream } from './live-stream.ts';
import { createPainter } from './painter.ts';
import { noStream, type StreamTarget, type StreamView } from './stream-view.ts';

export type Faces = NonNullable<PictureHeader['faces']>;

export interface ShownStream {
  readonly view: StreamView;
  readonly freshness: Freshness;
  /** Faces in the current picture, if the server names them (to staff only). */
  readonly faces: Faces;
  /**
   * True if pictures arrive but the child has not been sharp in them for some time. Always false for an image element.
   */
  readonly isUnrecognised: boolean;
  /** Width by height of the picture; null before the first. */
  readonly ratio: number | null;
  /** Handlers for the image element that replaces a blocked socket. */
  readonly onImageLoad: (image: HTMLImageElement) => void;
  readonly onImageError: () => void;
}

export interface ShownStreamOptions {
  readonly target: StreamTarget;
  /** Null until the canvas is mounted. */
  readonly canvas: HTMLCanvasElement | null;
  /** Whether to open the stream. */
  readonly isOn: boolean;
  /** Milliseconds between a drawn picture and the request for the next: a wall of pictures needs fewer. */
  readonly paceMs: number;
}

const NOBODY: Faces = [];
/** Longest time for which boxes of a picture stay without newer ones. Milliseconds. */
const FACES_KEPT_MS = 1_000;
/** Time without a sharp region before the page explains it: a child may only have turned round. Milliseconds. */
const UNRECOGNISED_AFTER_MS = 4_000;
/** Interval for updating the freshness mark. Milliseconds. */
const MARK_MS = 250;
/**
 * Reconnects an image element whose picture has not changed for this time, because it does not report its end.
 * Milliseconds.
 */
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
    /** Time when the child was last sharp, or when the first picture arrived; null before. */
    let sharpAt: number | null = null;
    const freshnessNow = () => freshnessOf(last, serverNow(), performance.now(), frozenAfter(paceMs));
    const mark = (): void => {
      const now = freshnessNow();
      setFreshness((before) => (isSame(before, now) ? before : now));
      if (performance.now() - facesAt > FACES_KEPT_MS) setFaces(NOBODY);
      setUnrecognised(sharpAt !== null && performance.now() - sharpAt > UNRECOGNISED_AFTER_MS);
    };
    const note = (capturedAt: number): void => {
      const isBack = freshnessNow().kind !== 'live';
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
          // Remove the picture of somebody whom this viewer may no longer see.
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
