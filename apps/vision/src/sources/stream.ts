/** Reads and decodes what ffmpeg can open, picture by picture. Knows no kind of camera. */
import { Decoder, Demuxer, FFmpegError } from 'node-av';
import {
  AVERROR_DECODER_NOT_FOUND,
  AVERROR_EACCES,
  AVERROR_EPERM,
  AVERROR_HTTP_FORBIDDEN,
  AVERROR_HTTP_NOT_FOUND,
  AVERROR_HTTP_UNAUTHORIZED,
  AVERROR_INVALIDDATA,
  AVERROR_PROTOCOL_NOT_FOUND,
  AVERROR_STREAM_NOT_FOUND,
} from 'node-av/constants';
import type { CameraProblem } from '../process/messages.ts';
import { SourceError, type TakeFrame } from './source-error.ts';

export interface StreamOptions {
  readonly url: string;
  /** The demuxer's name, so that what is sent cannot choose another. */
  readonly format: string | undefined;
  /** Options of the demuxer and its protocol, as ffmpeg names them. */
  readonly options: Readonly<Record<string, string>>;
  /** Waits before a picture is given, by its time in the stream in milliseconds. */
  readonly pace?: (at: number) => Promise<void>;
}

/** A picture of more pixels is refused by the decoder: 8K, and not what a few crafted bytes ask for. */
const MAX_PIXELS = 7680 * 4320;
const ECONNREFUSED = -111;

/** Gives pictures until the stream ends or fails; then throws {@link SourceError}, or returns at its end. */
export async function playStream(
  { url, format, options, pace }: StreamOptions,
  take: TakeFrame,
): Promise<void> {
  let demuxer: Demuxer | null = null;
  let decoder: Decoder | null = null;
  try {
    demuxer = await Demuxer.open(url, { ...(format && { format }), options: { ...options } });
    const stream = demuxer.video();
    if (!stream) throw new SourceError('no_picture');
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
    for await (const frame of decoder.frames(demuxer.packets(stream.index))) {
      if (!frame) break;
      try {
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
