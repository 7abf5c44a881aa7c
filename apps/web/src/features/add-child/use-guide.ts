/** The live guide: measures the video here, sends pictures to the server for face checks, and returns advice. */
import { useEffect, useState } from 'react';
import { ApiError } from '../../calls/api-error.ts';
import { askGuide } from './api.ts';
import { type Advice, decideAdvice, type FaceAnswer, measureFrame, toLuma } from './guide.ts';
import { sampleFrame } from './picture.ts';

export interface Guide {
  advice: Advice;
  /**
   * False if the server cannot check faces now: the guide then judges only light and motion, and Capture stays enabled.
   */
  isAvailable: boolean;
  canCapture: boolean;
}

const LOOK_EVERY_MS = 330;
/** Width in pixels of the pictures sent to the server. */
const SAMPLE_WIDTH = 480;
const MEASURE_WIDTH = 64;
/** Pause before an unavailable guide is tried again, unless the server sends `Retry-After`. Milliseconds. */
const RETRY_MS = 3000;
/** Capture stays enabled for this time after the last good frame, so that the button does not flicker. Milliseconds. */
const READY_HOLD_MS = 900;

const START: Guide = { advice: 'checking', isAvailable: true, canCapture: false };

/** Guides the person for `video`; pauses while it is null. */
export function useGuide(video: HTMLVideoElement | null): Guide {
  const [guide, setGuide] = useState<Guide>(START);
  useEffect(() => {
    setGuide(START);
    if (video === null) return;
    return watch(video, (next) =>
      setGuide((held) =>
        held.advice === next.advice &&
        held.isAvailable === next.isAvailable &&
        held.canCapture === next.canCapture
          ? held
          : next,
      ),
    );
  }, [video]);
  return guide;
}

function watch(video: HTMLVideoElement, onGuide: (guide: Guide) => void): () => void {
  const leaving = new AbortController();
  const measure = createMeasure(video);
  let face: FaceAnswer | null = null;
  let isAvailable = true;
  let isAsking = false;
  let askAgainAt = 0;
  let lastReadyAt = Number.NEGATIVE_INFINITY;

  async function ask(): Promise<void> {
    isAsking = true;
    try {
      const picture = await sampleFrame(video, SAMPLE_WIDTH);
      if (picture === null) return;
      face = await askGuide(picture, leaving.signal);
      isAvailable = true;
    } catch (error) {
      face = null;
      isAvailable = false;
      const wait =
        error instanceof ApiError && error.retryAfter !== undefined ? error.retryAfter * 1000 : RETRY_MS;
      askAgainAt = performance.now() + wait;
    } finally {
      isAsking = false;
    }
  }

  const timer = setInterval(() => {
    if (video.videoWidth === 0) return;
    const now = performance.now();
    if (!isAsking && now >= askAgainAt) void ask();
    const advice = decideAdvice(face, measure(), video.videoWidth);
    if (advice === 'ready') lastReadyAt = now;
    onGuide({ advice, isAvailable, canCapture: !isAvailable || now - lastReadyAt < READY_HOLD_MS });
  }, LOOK_EVERY_MS);

  return () => {
    clearInterval(timer);
    leaving.abort();
  };
}

/** Measures brightness and motion on a small canvas to save time. */
function createMeasure(video: HTMLVideoElement) {
  const canvas = document.createElement('canvas');
  canvas.width = MEASURE_WIDTH;
  canvas.height = (MEASURE_WIDTH * 3) / 4;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  let previous: Uint8Array | null = null;
  return () => {
    if (context === null) return { brightness: 255, motion: 0 };
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    const luma = toLuma(context.getImageData(0, 0, canvas.width, canvas.height).data);
    const measures = measureFrame(luma, previous, canvas.width);
    previous = luma;
    return measures;
  };
}
