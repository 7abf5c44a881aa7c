/** `multipart/x-mixed-replace` of JPEG, as `<img>`, VLC, ffmpeg and Home Assistant read it. Knows no rights. */
import type { ServerResponse } from 'node:http';
import type { Prepared, Sink } from './sink.ts';

const BOUNDARY = 'haris-picture';
export const MULTIPART_TYPE = `multipart/x-mixed-replace; boundary=${BOUNDARY}`;
/** A client that takes nothing for this long is closed. Milliseconds. */
const TAKE_WITHIN_MS = 30_000;
/** What is written already has this long to reach the client when its stream ends. Milliseconds. */
const END_WITHIN_MS = 500;

/** One part, whole: `X-Timestamp` is the moment of the picture in seconds since 1970 with three decimals. */
export function multipartPart(jpeg: Uint8Array, capturedAt: number): Buffer {
  const head =
    `--${BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n` +
    `X-Timestamp: ${(capturedAt / 1_000).toFixed(3)}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), jpeg, Buffer.from('\r\n')]);
}

/**
 * Writes pictures to an answer whose head was sent. The newest one waits while the client still takes the one before;
 * what came between is lost to it.
 */
export function mjpegSink(raw: ServerResponse): Sink {
  let waiting: Prepared | null = null;
  let takingSince: number | null = null;
  let ended = false;

  function send(picture: Prepared): void {
    takingSince = performance.now();
    raw.write(picture.bytes, () => {
      takingSince = null;
      const next = waiting;
      waiting = null;
      if (next && !ended && !raw.destroyed) send(next);
    });
  }

  return {
    picture(picture) {
      if (ended || raw.destroyed) return;
      if (takingSince === null) return send(picture);
      waiting = picture;
      if (performance.now() - takingSince > TAKE_WITHIN_MS) raw.destroy();
    },
    // The words have no place in a multipart of pictures.
    note() {},
    end() {
      ended = true;
      waiting = null;
      raw.end(`--${BOUNDARY}--\r\n`);
      // Who takes nothing would keep the connection, and get what waits long after the end.
      setTimeout(() => raw.destroy(), END_WITHIN_MS).unref();
    },
  };
}
