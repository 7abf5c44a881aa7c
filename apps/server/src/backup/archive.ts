/**
 * Format of a backup file: gzip in frames of AES-256-GCM, so that it is written and read as a stream of any length.
 * `HARISBK1`, then frames `length (4, big endian) | iv (12) | tag (16) | ciphertext`. Each frame is bound to its number and
 * to whether it is the last, so that missing, moved and cut-off frames are detected.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const MAGIC = Buffer.from('HARISBK1');
/** Bytes of gzip in one frame. */
const FRAME_BYTES = 1024 * 1024;
const HEAD_BYTES = 4 + 12 + 16;

/** The file is not a backup, is damaged or truncated, or has another key; `message` is for the operator. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
}

function context(index: number, last: boolean): Buffer {
  return Buffer.from(`haris backup frame ${index} ${last ? 'last' : 'more'}`);
}

function sealFrame(key: Uint8Array, index: number, last: boolean, plain: Uint8Array): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(context(index, last));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, iv, cipher.getAuthTag(), body]);
}

/** Seals a stream of bytes into frames with a 32-byte key. */
export async function* sealArchive(
  key: Uint8Array,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  yield MAGIC;
  let waiting: Buffer = Buffer.alloc(0);
  let index = 0;
  for await (const chunk of bytes) {
    waiting = Buffer.concat([waiting, chunk]);
    // One frame is always held back, because the last one must be marked.
    while (waiting.length > FRAME_BYTES) {
      yield sealFrame(key, index++, false, waiting.subarray(0, FRAME_BYTES));
      waiting = waiting.subarray(FRAME_BYTES);
    }
  }
  yield sealFrame(key, index, true, waiting);
}

/** Reverses {@link sealArchive}. Throws {@link ArchiveError} at the first wrong frame. */
export async function* openArchive(
  key: Uint8Array,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let waiting: Buffer = Buffer.alloc(0);
  let started = false;
  let index = 0;
  let ended = false;
  for await (const chunk of bytes) {
    waiting = Buffer.concat([waiting, chunk]);
    if (!started) {
      if (waiting.length < MAGIC.length) continue;
      if (!waiting.subarray(0, MAGIC.length).equals(MAGIC))
        throw new ArchiveError('This is not a Haris backup.');
      waiting = waiting.subarray(MAGIC.length);
      started = true;
    }
    for (;;) {
      if (waiting.length < HEAD_BYTES) break;
      const length = waiting.readUInt32BE(0);
      if (length > FRAME_BYTES) throw new ArchiveError(`The backup is damaged (part ${index + 1}).`);
      if (waiting.length < HEAD_BYTES + length) break;
      if (ended) throw new ArchiveError('The backup is damaged: something follows its end.');
      const frame = waiting.subarray(0, HEAD_BYTES + length);
      waiting = waiting.subarray(HEAD_BYTES + length);
      const opened = openFrame(key, index, frame);
      ended = opened.last;
      index++;
      yield opened.plain;
    }
  }
  if (!ended || waiting.length > 0) throw new ArchiveError('The backup is cut off or damaged at its end.');
}

function openFrame(key: Uint8Array, index: number, frame: Buffer): { plain: Buffer; last: boolean } {
  for (const last of [false, true]) {
    const decipher = createDecipheriv('aes-256-gcm', key, frame.subarray(4, 16));
    decipher.setAAD(context(index, last));
    decipher.setAuthTag(frame.subarray(16, HEAD_BYTES));
    try {
      return { plain: Buffer.concat([decipher.update(frame.subarray(HEAD_BYTES)), decipher.final()]), last };
    } catch {
      // Tries the other of the two.
    }
  }
  throw new ArchiveError(
    index === 0
      ? 'The backup cannot be opened: it belongs to another key, or is damaged.'
      : `The backup is damaged (part ${index + 1}).`,
  );
}

/** Pipes the source through gzip or gunzip; a failure of the source reaches the reader. */
export function through(source: AsyncIterable<Uint8Array>, zip: Transform): AsyncIterable<Uint8Array> {
  // The pipeline destroys the stream with the failure, so its reader throws it.
  pipeline(Readable.from(source, { objectMode: false }), zip).catch(() => undefined);
  return zip;
}
