/** Limits on the packets of one client of the embedded broker. */
import { Duplex, Transform } from 'node:stream';
import { createTokenBucket } from '../token-bucket.ts';

/** Maximum size of a client's packet; a reading has a few hundred bytes. Bytes. */
const MAX_PACKET_BYTES = 16 * 1024;
/** Packets that one connection may send at once, and per second afterwards; a connection that sends more is closed. */
const PACKETS_BURST = 2_000;
const PACKETS_PER_SECOND = 500;

/**
 * Reads the fixed headers of MQTT packets (3.1.1 §2.2: a byte, then the length in 7-bit groups) from chunks of any size.
 * The returned function returns false for a packet that is too large, has an invalid length, or exceeds the rate limit.
 */
export function createFrameGuard(maxBytes = MAX_PACKET_BYTES, now = () => performance.now()) {
  const admit = createTokenBucket(PACKETS_BURST, PACKETS_PER_SECOND);
  let skip = 0;
  /** Number of length bytes read so far; −1 if the next byte begins a packet. */
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

/** Wraps a connection; it is closed when a packet exceeds the limits. */
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
