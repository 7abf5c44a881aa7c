/** One picture of a camera in the form all others are made from: not too large, and with its privacy zones filled. */

import { Frame, type Scaler } from 'node-av';
import { AV_PIX_FMT_RGB24, AV_PIX_FMT_YUV420P } from 'node-av/constants';
import type { Pixels } from '../picture/pixels.ts';
import { PICTURE_MAX_SIDE } from '../process/messages.ts';
import type { Planes } from './zones.ts';

const timeBase = { num: 1, den: 1000 };

export class Still {
  readonly width: number;
  readonly height: number;
  /** Milliseconds since 1970. */
  readonly capturedAt: number;
  readonly #scaler: Scaler;
  readonly #shown: Buffer;
  /** As the camera sent it, where somebody may look behind the zones. */
  readonly #behind: Buffer | null;
  #pixels: Pixels | null = null;

  constructor(
    scaler: Scaler,
    frame: Frame,
    capturedAt: number,
    fillZones: ((planes: Planes) => void) | null,
    keepBehind: boolean,
  ) {
    const shrink = Math.max(1, Math.max(frame.width, frame.height) / PICTURE_MAX_SIDE);
    this.width = even(frame.width / shrink);
    this.height = even(frame.height / shrink);
    this.capturedAt = capturedAt;
    this.#scaler = scaler;
    const resize = { width: this.width, height: this.height };
    this.#shown = scaler.toBufferSync(frame, { resize, format: 'yuv420p' });
    this.#behind = keepBehind && fillZones ? Buffer.from(this.#shown) : null;
    fillZones?.({ data: this.#shown, ...resize });
  }

  /** RGB; the same object each time. */
  get pixels(): Pixels {
    this.#pixels ??= {
      data: this.#use(this.#shown, (frame) => this.#scaler.toBufferSync(frame, { format: 'rgb' })),
      width: this.width,
      height: this.height,
    };
    return this.#pixels;
  }

  /** The whole picture. `quality` 1–100. */
  toJpeg(quality: number, behindZones = false): Buffer {
    const planes = behindZones ? (this.#behind ?? this.#shown) : this.#shown;
    return this.#use(planes, (frame) => this.#scaler.toJpegSync(frame, { quality }));
  }

  /** The whole picture in another size. */
  resize(width: number, height: number): Pixels {
    const data = this.#use(this.#shown, (frame) =>
      this.#scaler.toBufferSync(frame, { resize: { width, height }, format: 'rgb' }),
    );
    return { data, width, height };
  }

  #use<T>(planes: Buffer, work: (frame: Frame) => T): T {
    const frame = Frame.fromVideoBuffer(planes, {
      width: this.width,
      height: this.height,
      format: AV_PIX_FMT_YUV420P,
      timeBase,
    });
    try {
      return work(frame);
    } finally {
      frame.free();
    }
  }
}

/** Does something with pixels as a frame of the library. */
function withFrame<T>({ data, width, height }: Pixels, work: (frame: Frame) => T): T {
  const buffer = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const frame = Frame.fromVideoBuffer(buffer, { width, height, format: AV_PIX_FMT_RGB24, timeBase });
  try {
    return work(frame);
  } finally {
    frame.free();
  }
}

/** Width and height must be even. `quality` 1–100. */
export function encodeJpeg(scaler: Scaler, pixels: Pixels, quality: number): Buffer {
  return withFrame(pixels, (frame) => scaler.toJpegSync(frame, { quality }));
}

/** Larger, without edges between its pixels. */
export function enlarge(scaler: Scaler, pixels: Pixels, width: number, height: number): Pixels {
  const data = withFrame(pixels, (frame) =>
    scaler.toBufferSync(frame, { resize: { width, height }, format: 'rgb' }),
  );
  return { data, width, height };
}

/** The nearest even number that is not larger, and at least 2: colour is kept for 2 × 2 pixels. */
export function even(value: number): number {
  return Math.max(2, Math.floor(value / 2) * 2);
}
