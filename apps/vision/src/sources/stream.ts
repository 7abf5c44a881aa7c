/** Reads and decodes what ffmpeg can open, picture by picture. Knows no kind of camera. */
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
  /** The demuxer's name, so that what is sent cannot choose another. */
  readonly format: string | undefined;
  /** Options of the demuxer and its protocol, as ffmpeg names them. */
  readonly options: Readonly<Record<string, string>>;
  /** Whether a stream that is no longer that of `url`, because of a redirect, is refused. */
  readonly staysAtUrl?: boolean;
  /** Waits before a picture is given, by its time in the stream in milliseconds. */
  readonly pace?: (at: number) => Promise<void>;
}

/** A picture of more pixels is refused by the decoder: 8K, and not what a few crafted bytes ask for. */
const MAX_PIXELS = 7680 * 4320;
const ECONNREFUSED = -111;

/** Gives pictures until the stream ends or fails; then throws {@link SourceError}, or returns at its end. */
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
      // A damaged picture is left out or shown damaged; it must not end the stream.
      exitOnError: false,
      threadCount: 1,
      // Not by `options`, which become a dictionary whose memory is given back twice.
      configure(context) {
        context.setOption('max_pixels', MAX_PIXELS);
        context.setOption('flags', 'low_delay');
      },
    });
    const { num, den } = stream.timeBase;
    for await (const frame of decoder.frames(readPackets(demuxer, stream))) {
      if (!frame) break;
      try {
        // A stream may change its size on the way.
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

/** A device has no picture yet: asked again after so long. Milliseconds. */
const NOT_YET_MS = 10;

/**
 * Packets of a stream, each read when it is asked for; null at the end. The library's own reader runs 100 packets ahead, and
 * then waits in a loop that takes half a core: of a file it would do so all the time.
 */
async function* readPackets(demuxer: Demuxer, stream: Stream): AsyncGenerator<Packet | null> {
  const context = demuxer.getFormatContext();
  const isJpeg = stream.codecpar.codecId === AV_CODEC_ID_MJPEG;
  for (;;) {
    const packet = new Packet();
    packet.alloc();
    const status = await context.readFrame(packet);
    if (status === 0 && packet.streamIndex === stream.index) {
      // Each JPEG says its own size: the memory for it is taken by what that says.
      const size = isJpeg && packet.data ? readJpegSize(packet.data) : null;
      if (size && !hasUsualSides(size)) {
        packet.free();
        throw new SourceError('unsupported');
      }
      packet.timeBase = stream.timeBase;
      // Whoever decodes it frees it.
      yield packet;
      continue;
    }
    packet.free();
    if (status === AVERROR_EAGAIN) await sleep(NOT_YET_MS);
    else if (status < 0) break;
  }
  yield null;
}

/** The library's own words name the address with its password: only its number is read. */
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
