/** Encodes planes as JPEG. */
import { EncoderPool, Frame } from 'node-av';
import {
  AV_CODEC_FLAG_QSCALE,
  AV_PIX_FMT_YUV420P,
  AVCOL_RANGE_JPEG,
  FF_ENCODER_MJPEG,
  FF_QP2LAMBDA,
} from 'node-av/constants';
import type { Planes } from './planes.ts';

/** Number of encoders kept, one per size: creating an encoder takes longer than encoding a small picture. */
const SIZES_KEPT = 32;
const timeBase = { num: 1, den: 1000 };

export class JpegEncoder {
  readonly #pool = new EncoderPool(FF_ENCODER_MJPEG, { maxSize: SIZES_KEPT, flags: AV_CODEC_FLAG_QSCALE });

  /** `quality` 1–100. */
  encode({ data, width, height }: Planes, quality: number): Buffer {
    const frame = Frame.fromVideoBuffer(data, { width, height, format: AV_PIX_FMT_YUV420P, timeBase });
    try {
      frame.colorRange = AVCOL_RANGE_JPEG;
      frame.quality = Math.round(2 + ((100 - quality) / 99) * 29) * FF_QP2LAMBDA;
      return this.#pool.encodeSync(frame);
    } finally {
      frame.free();
    }
  }

  close(): void {
    this.#pool.close();
  }
}
