/** One picture of a camera in the form all others are made from: not too large, and with its privacy zones filled. */
import { FilterAPI, Frame, Rational, Scaler } from 'node-av';
import { AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P } from 'node-av/constants';
import type { Pixels } from '../picture/pixels.ts';
import { PICTURE_MAX_SIDE } from '../process/messages.ts';
import { JpegEncoder } from './jpeg.ts';
import { even, type Planes } from './planes.ts';

const timeBase = { num: 1, den: 1000 };

/** Makes stills of the frames of one camera, and keeps what the next one can use again. */
export class StillMaker {
  readonly #scaler = new Scaler();
  readonly #encoder = new JpegEncoder();
  #converted = 0;
  #converter: { readonly key: string; readonly filter: FilterAPI } | null = null;

  /** The frame stays the caller's, but for its time. `capturedAt` in milliseconds since 1970; `keepBehind`: somebody may look behind the zones. */
  make(
    frame: Frame,
    capturedAt: number,
    fillZones: ((planes: Planes) => void) | null,
    keepBehind: boolean,
  ): Still {
    const shown = this.#convert(frame);
    const behind = keepBehind && fillZones ? { ...shown, data: Buffer.from(shown.data) } : null;
    fillZones?.(shown);
    return new Still(this.#scaler, this.#encoder, capturedAt, shown, behind);
  }

  /** `quality` 1–100. */
  encode(planes: Planes, quality: number): Buffer {
    return this.#encoder.encode(planes, quality);
  }

  /** Larger, without edges between its pixels. */
  enlarge(planes: Planes, width: number, height: number): Planes {
    return resize(this.#scaler, planes, width, height);
  }

  close(): void {
    this.#converter?.filter.close();
    this.#encoder.close();
    this.#scaler.close();
  }

  /**
   * Cameras send numbers of 16 to 235 or of 0 to 255, in several forms; JPEG has 0 to 255, and shown as it came the other
   * kind would look washed out.
   */
  #convert(frame: Frame): Planes {
    const shrink = Math.max(1, Math.max(frame.width, frame.height) / PICTURE_MAX_SIDE);
    const width = even(frame.width / shrink);
    const height = even(frame.height / shrink);
    const key = [frame.width, frame.height, frame.format, frame.colorRange].join(' ');
    if (this.#converter?.key !== key) {
      this.#converter?.filter.close();
      const graph = `scale=${width}:${height}:out_range=full,format=yuv420p`;
      this.#converter = { key, filter: FilterAPI.create(graph, { threads: 1 }) };
    }
    const { filter } = this.#converter;
    // What a device sends knows no time, without which the filter does not start.
    frame.timeBase = new Rational(timeBase.num, timeBase.den);
    frame.pts = BigInt(this.#converted++);
    filter.processSync(frame);
    const converted = filter.receiveSync();
    if (!(converted instanceof Frame)) throw new Error('a picture was not converted');
    try {
      return { data: converted.toBuffer(), width, height };
    } finally {
      converted.free();
    }
  }
}

export class Still {
  readonly width: number;
  readonly height: number;
  /** Milliseconds since 1970. */
  readonly capturedAt: number;
  /** Not to be changed. */
  readonly planes: Planes;
  readonly #scaler: Scaler;
  readonly #encoder: JpegEncoder;
  /** As the camera sent it, where somebody may look behind the zones. */
  readonly #behind: Planes | null;

  constructor(
    scaler: Scaler,
    encoder: JpegEncoder,
    capturedAt: number,
    shown: Planes,
    behind: Planes | null,
  ) {
    this.width = shown.width;
    this.height = shown.height;
    this.capturedAt = capturedAt;
    this.planes = shown;
    this.#scaler = scaler;
    this.#encoder = encoder;
    this.#behind = behind;
  }

  /** RGB, made anew each time. */
  toPixels(): Pixels {
    const { width, height } = this;
    const data = withFrame(this.planes, AV_PIX_FMT_YUVJ420P, (frame) =>
      this.#scaler.toBufferSync(frame, { format: 'rgb' }),
    );
    return { data, width, height };
  }

  /** The whole picture. `quality` 1–100. */
  toJpeg(quality: number, behindZones = false): Buffer {
    return this.#encoder.encode(behindZones ? (this.#behind ?? this.planes) : this.planes, quality);
  }

  /** The whole picture in another size; even numbers. */
  resize(width: number, height: number): Planes {
    return resize(this.#scaler, this.planes, width, height);
  }
}

function resize(scaler: Scaler, planes: Planes, width: number, height: number): Planes {
  // Both sides are said to have the same range of numbers, whichever: they stay as they are.
  const data = withFrame(planes, AV_PIX_FMT_YUV420P, (frame) =>
    scaler.toBufferSync(frame, { resize: { width, height }, format: 'yuv420p' }),
  );
  return { data, width, height };
}

/** Does something with planes as a frame of the library. */
function withFrame<T>(
  { data, width, height }: Planes,
  format: typeof AV_PIX_FMT_YUV420P | typeof AV_PIX_FMT_YUVJ420P,
  work: (frame: Frame) => T,
): T {
  const frame = Frame.fromVideoBuffer(data, { width, height, format, timeBase });
  try {
    return work(frame);
  } finally {
    frame.free();
  }
}
