/** Bounds of what one client may send to the embedded broker. */
import { Duplex, Transform } from 'node:stream';

/** The largest packet that a client may send: a reading has some hundred bytes. */
const MAX_PACKET_BYTES = 16 * 1024;
/** Packets of any kind that one connection may send at once, and then a second, before it is closed. */
const PACKETS_BURST = 2_000;
const PACKETS_PER_SECOND = 500;

/** Lets `burst` pass at once and then `perSecond`. `now` in milliseconds, of a clock that only goes forward. */
export function createBucket(burst: number, perSecond: number): (now: number) => boolean {
  let tokens = burst;
  let at = Number.NEGATIVE_INFINITY;
  return (now) => {
    if (at > Number.NEGATIVE_INFINITY) tokens = Math.min(burst, tokens + ((now - at) / 1000) * perSecond);
    at = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/**
 * Follows the fixed headers of MQTT (3.1.1 §2.2: a byte, then the length in 7-bit groups) through chunks of any size.
 * Answers false for a packet that is too large, whose length cannot be read, or that is one too many.
 */
export function createFrameGuard(maxBytes = MAX_PACKET_BYTES, now = () => performance.now()) {
  const admit = createBucket(PACKETS_BURST, PACKETS_PER_SECOND);
  let skip = 0;
  /** −1: the next byte begins a packet; else how many bytes of the length were read. */
  let lengthBytes = -1;
  let length = 0;
  return (chunk: Uint8Array): boolean => {
    for (let index = 0; index < chunk.length; ) {
      if (skip > 0) {
        const step = Math.min(skip, chunk.length - index);
        skip -= step;
        index += step;
        continue;
      }
      const byte = chunk[index++] as number;
      if (lengthBytes < 0) {
        if (!admit(now())) return false;
        [lengthBytes, length] = [0, 0];
        continue;
      }
      length += (byte & 0x7f) * 128 ** lengthBytes;
      lengthBytes++;
      const more = (byte & 0x80) !== 0;
      if (length > maxBytes || (more && lengthBytes === 4)) return false;
      if (!more) [skip, lengthBytes] = [length, -1];
    }
    return true;
  };
}

/** The connection with the guard before it: what breaks the bounds ends it. */
export function guardConnection(connection: Duplex): Duplex {
  const guard = createFrameGuard();
  const readable = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (guard(chunk)) done(null, chunk);
      else done(new Error('too much was sent'));
    },
  });
  connection.pipe(readable);
  connection.on('error', () => readable.destroy());
  connection.on('close', () => readable.destroy());
  readable.on('error', () => connection.destroy());
  return Duplex.from({ readable, writable: connection });
}
