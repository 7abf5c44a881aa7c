/** A phone, tablet or laptop that sends JPEG pictures through its browser; they are pushed, not fetched. */
import { Codec, CodecContext, Frame, Packet } from 'node-av';
import { AV_CODEC_ID_MJPEG } from 'node-av/constants';
import { hasUsualSides, readJpegSize } from '../picture/bounds.ts';
import { SourceError, type TakeFrame } from './source-error.ts';

/** A device sends at most this many pixels; more is refused before memory is taken for it. */
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

  /** Bytes that are no picture, or one that no device makes, are left out. */
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
    // Not by a Dictionary: opening takes its memory, and the garbage collector would give it back once more and crash.
    if (context.setOption('max_pixels', MAX_PIXELS) < 0) throw new SourceError('unsupported');
    if (context.open2Sync(codec) < 0) throw new SourceError('unsupported');
    this.#context = context;
    return context;
  }
}
