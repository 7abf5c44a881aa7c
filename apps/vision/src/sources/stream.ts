/** Reads and decodes any stream that ffmpeg can open, frame by frame. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Decoder, Demuxer, FFmpegError, Packet, type Stream } from 'node-av';
import {
  AV_CODEC_ID_MJPEG,
  AVERROR_DECODER_NOT_FOUND,
  AVERROR_EACCES,
  AVERROR_EAGAIN,
  AVERROR_EPERM,
  AVERROR_HTTP_FORBIDDEN,
  AVERROR_HTTP_NOT_FOUND,
  AVERROR_HTTP_UNAUTHORIZED,
  AVERROR_INVALIDDATA,
  AVERROR_PROTOCOL_NOT_FOUND,
  AVERROR_STREAM_NOT_FOUND,
} from 'node-av/constants';
import { hasUsualSides, readJpegSize } from '../picture/bounds.ts';
import type { CameraProblem } from '../process/messages.ts';
import { SourceError, type TakeFrame } from './source-error.ts';

export interface StreamOptions {
  readonly url: string;
  /** Name of the demuxer; if set, the camera's data cannot choose another demuxer. */
  readonly format: string | undefined;
  /** Options of the demuxer and its protocol, as ffmpeg names them. */
  readonly options: Readonly<Record<string, string>>;
  /** Whether to refuse a stream that was redirected away from `url`. */
  readonly staysAtUrl?: boolean;
  /** Delays a frame before it is delivered; `at` is its time in the stream in milliseconds. */
  readonly pace?: (at: number) => Promise<void>;
}

/** The decoder refuses more pixels than 8K, so that a few crafted bytes cannot demand more memory. */
const MAX_PIXELS = 7680 * 4320;
const ECONNREFUSED = -111;

/** Delivers frames to `take`. Returns when the stream ends; throws {@link SourceError} when it fails. */
export async function playStream(
  { url, format, options, staysAtUrl, pace }: StreamOptions,
  take: TakeFrame,
): Promise<void> {
  let demuxer: Demuxer | null = null;
  let decoder: Decoder | null = null;
  try {
    demuxer = await Demuxer.open(url, { ...(format && { format }), options: { ...options } });
    if (staysAtUrl && demuxer.getFormatContext().url !== url) throw new SourceError('redirected');
    const stream = demuxer.video();
    if (!stream) throw new SourceError('no_picture');
    if (!hasUsualSides(stream.codecpar)) throw new SourceError('unsupported');
    decoder = await Decoder.create(stream, {
      // A damaged frame is dropped or shown damaged; it must not end the stream.
      exitOnError: false,
      threadCount: 1,
      // Set here, because `options` would become a dictionary that is freed twice.
      configure(context) {
        context.setOption('max_pixels', MAX_PIXELS);
        context.setOption('flags', 'low_delay');
      },
    });
    const { num, den } = stream.timeBase;
    for await (const frame of decoder.frames(readPackets(demuxer, stream))) {
      if (!frame) break;
      try {
        // The frame size may change within a stream.
        if (!hasUsualSides(frame)) throw new SourceError('unsupported');
        if (pace) await pace(Number(frame.bestEffortTimestamp) * (num / den) * 1_000);
        take(frame);
      } finally {
        frame.free();
      }
    }
  } catch (error) {
    throw error instanceof SourceError ? error : new SourceError(problemOf(error));
  } finally {
    decoder?.close();
    await demuxer?.close();
  }
}

/** Pause before the next read from a device that has no frame yet. Milliseconds. */
const NOT_YET_MS = 10;

/**
 * Reads the packets of a stream on demand; null marks the end. The library's own reader runs 100 packets ahead and then
 * busy-waits on half a core; for a file it would do so all the time.
 */
async function* readPackets(demuxer: Demuxer, stream: Stream): AsyncGenerator<Packet | null> {
  const context = demuxer.getFormatContext();
  const isJpeg = stream.codecpar.codecId === AV_CODEC_ID_MJPEG;
  for (;;) {
    const packet = new Packet();
    packet.alloc();
    const status = await context.readFrame(packet);
    if (status === 0 && packet.streamIndex === stream.index) {
      // Each JPEG has its own size, which decides how much memory is allocated.
      const size = isJpeg && packet.data ? readJpegSize(packet.data) : null;
      if (size && !hasUsualSides(size)) {
        packet.free();
        throw new SourceError('unsupported');
      }
      packet.timeBase = stream.timeBase;
      // The consumer frees the packet.
      yield packet;
      continue;
    }
    packet.free();
    if (status === AVERROR_EAGAIN) await sleep(NOT_YET_MS);
    else if (status < 0) break;
  }
  yield null;
}

/** Maps an error by its code only: the library's message contains the camera's address and password. */
function problemOf(error: unknown): CameraProblem {
  if (!(error instanceof FFmpegError)) return 'no_picture';
  switch (error.code) {
    case AVERROR_HTTP_UNAUTHORIZED:
    case AVERROR_HTTP_FORBIDDEN:
      return 'unauthorized';
    case ECONNREFUSED:
    case AVERROR_EACCES:
    case AVERROR_EPERM:
      return 'refused';
    case AVERROR_INVALIDDATA:
    case AVERROR_DECODER_NOT_FOUND:
    case AVERROR_PROTOCOL_NOT_FOUND:
      return 'unsupported';
    case AVERROR_STREAM_NOT_FOUND:
    case AVERROR_HTTP_NOT_FOUND:
      return 'no_picture';
    default:
      return 'unreachable';
  }
}
