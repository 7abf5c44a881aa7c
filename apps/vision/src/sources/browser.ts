/** Source for a phone, tablet or laptop whose browser pushes JPEG pictures. */
import { Codec, CodecContext, Frame, Packet } from 'node-av';
import { AV_CODEC_ID_MJPEG } from 'node-av/constants';
import { hasUsualSides, readJpegSize } from '../picture/bounds.ts';
import { SourceError, type TakeFrame } from './source-error.ts';

/** Most pixels of a device's picture; the decoder refuses more before it allocates memory. */
const MAX_PIXELS = 4096 * 2304;

export class BrowserSource {
  readonly #take: TakeFrame;
  readonly #failed = Promise.withResolvers<void>();
  #context: CodecContext | null = null;

  constructor(take: TakeFrame) {
    this.#take = take;
  }

  get ended(): Promise<void> {
    return this.#failed.promise;
  }

  /** Decodes a JPEG. Drops bytes that are not a picture, and pictures larger than any device makes. */
  push(jpeg: Uint8Array): void {
    const size = readJpegSize(jpeg);
    if (!size || !hasUsualSides(size)) return;
    const context = this.#open();
    const packet = new Packet();
    const frame = new Frame();
    packet.alloc();
    frame.alloc();
    try {
      packet.data = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
      if (context.sendPacketSync(packet) < 0) return;
      if (context.receiveFrameSync(frame) >= 0) this.#take(frame);
    } finally {
      packet.free();
      frame.free();
    }
  }

  #open(): CodecContext {
    if (this.#context) return this.#context;
    const codec = Codec.findDecoder(AV_CODEC_ID_MJPEG);
    if (!codec) throw new SourceError('unsupported');
    const context = new CodecContext();
    context.allocContext3(codec);
    context.threadCount = 1;
    // Do not pass a Dictionary: opening frees its memory, and the garbage collector would free it again and crash.
    if (context.setOption('max_pixels', MAX_PIXELS) < 0) throw new SourceError('unsupported');
    if (context.open2Sync(codec) < 0) throw new SourceError('unsupported');
    this.#context = context;
    return context;
  }
}
