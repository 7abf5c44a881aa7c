/** Sends pictures as `multipart/x-mixed-replace`, which `<img>`, VLC, ffmpeg and Home Assistant can read. */
import type { ServerResponse } from 'node:http';
import type { EncodedPicture, Sink } from './sink.ts';

const BOUNDARY = 'haris-picture';
export const MULTIPART_TYPE = `multipart/x-mixed-replace; boundary=${BOUNDARY}`;
/** Maximum time without reading before the client is disconnected. Milliseconds. */
const TAKE_WITHIN_MS = 30_000;
/** Time for the last bytes to reach the client when its stream ends. Milliseconds. */
const END_WITHIN_MS = 500;

/** One part of the response. `X-Timestamp` is the time of the picture in seconds since 1970, with three decimals. */
export function multipartPart(jpeg: Uint8Array, capturedAt: number): Buffer {
  const head =
    `--${BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n` +
    `X-Timestamp: ${(capturedAt / 1_000).toFixed(3)}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), jpeg, Buffer.from('\r\n')]);
}

/**
 * Writes pictures to a response whose headers are sent. While the client still reads one picture, only the newest later
 * picture waits; older ones are dropped.
 */
export function mjpegSink(raw: ServerResponse): Sink {
  let waiting: EncodedPicture | null = null;
  let takingSince: number | null = null;
  let ended = false;

  function send(picture: EncodedPicture): void {
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
    // A multipart stream has no place for notes.
    note() {},
    end() {
      ended = true;
      waiting = null;
      raw.end(`--${BOUNDARY}--\r\n`);
      // A client that does not read could otherwise keep the connection, and get the waiting bytes long after the end.
      setTimeout(() => raw.destroy(), END_WITHIN_MS).unref();
    },
  };
}
