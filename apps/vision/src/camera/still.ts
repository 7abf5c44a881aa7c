/** Stills: camera frames, shrunk and with privacy zones filled. All pictures are made from stills. */
import { FilterAPI, Frame, Rational, Scaler } from 'node-av';
import { AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P } from 'node-av/constants';
import type { Pixels } from '../picture/pixels.ts';
import { PICTURE_MAX_SIDE } from '../process/messages.ts';
import { JpegEncoder } from './jpeg.ts';
import { even, type Planes } from './planes.ts';
import type { ZoneFiller } from './zones.ts';

/** How far shrinking carries what lies in a zone beside it: two pixels of the colour planes. Pixels. */
const SHRUNK_MARGIN = 4;

const timeBase = { num: 1, den: 1000 };

/** Makes stills from one camera's frames; reuses its encoder and converter. */
export class StillMaker {
  readonly #scaler = new Scaler();
  readonly #encoder = new JpegEncoder();
  #converted = 0;
  #converter: { readonly key: string; readonly filter: FilterAPI } | null = null;

  /** The caller still owns `frame`; only its timestamp changes. `capturedAt`: milliseconds since 1970. */
  make(frame: Frame, capturedAt: number, fillZones: ZoneFiller | null): Still {
    const shown = this.#convert(frame);
    fillZones?.(shown, shown.width < frame.width || shown.height < frame.height ? SHRUNK_MARGIN : 0);
    return new Still(this.#scaler, this.#encoder, capturedAt, shown);
  }

  /** `quality` 1–100. */
  encode(planes: Planes, quality: number): Buffer {
    return this.#encoder.encode(planes, quality);
  }

  /** Enlarges planes smoothly, without visible pixel edges. */
  enlarge(planes: Planes, width: number, height: number): Planes {
    return resize(this.#scaler, planes, width, height);
  }

  close(): void {
    this.#converter?.filter.close();
    this.#encoder.close();
    this.#scaler.close();
  }

  /**
   * Converts a frame to YUV 4:2:0 with values from 0 to 255, as JPEG uses. Cameras send several formats, some with values
   * from 16 to 235, which would look washed out without conversion.
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
    // A device's JPEG has no timestamp, but the filter needs one.
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
  /** Read only. */
  readonly planes: Planes;
  readonly #scaler: Scaler;
  readonly #encoder: JpegEncoder;

  constructor(scaler: Scaler, encoder: JpegEncoder, capturedAt: number, shown: Planes) {
    this.width = shown.width;
    this.height = shown.height;
    this.capturedAt = capturedAt;
    this.planes = shown;
    this.#scaler = scaler;
    this.#encoder = encoder;
  }

  /** Converts to RGB on each call. */
  toPixels(): Pixels {
    const { width, height } = this;
    const data = withFrame(this.planes, AV_PIX_FMT_YUVJ420P, (frame) =>
      this.#scaler.toBufferSync(frame, { format: 'rgb' }),
    );
    return { data, width, height };
  }

  /** Encodes the whole picture. `quality`: 1–100. */
  toJpeg(quality: number): Buffer {
    return this.#encoder.encode(this.planes, quality);
  }

  /** Scales the whole picture; both numbers must be even. */
  resize(width: number, height: number): Planes {
    return resize(this.#scaler, this.planes, width, height);
  }
}

function resize(scaler: Scaler, planes: Planes, width: number, height: number): Planes {
  // Input and output have the same declared range, so the scaler does not change the range of values.
  const data = withFrame(planes, AV_PIX_FMT_YUV420P, (frame) =>
    scaler.toBufferSync(frame, { resize: { width, height }, format: 'yuv420p' }),
  );
  return { data, width, height };
}

/** Runs `work` on planes wrapped in a library frame. */
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
