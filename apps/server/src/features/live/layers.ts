/** Sends pictures in layers over a WebSocket, at most two unacknowledged (`live/video.ts` in the contract). */
import { type LiveNote, liveTakenSchema } from '@haris/contract/live/video';
import type { WebSocket } from 'ws';
import type { EncodedPicture, Sink } from './sink.ts';

const UNACKNOWLEDGED_MAX = 2;
/** Maximum time without an acknowledgement before the client is disconnected. Milliseconds. */
const TAKE_WITHIN_MS = 30_000;
const END_WITHIN_MS = 500;
/** Size limit of a client's messages, which are acknowledgements only. Bytes. */
const MESSAGE_MAX_BYTES = 200;
/** Close codes of the WebSocket protocol. */
const NORMAL = 1000;
const POLICY_VIOLATION = 1008;
const SERVICE_RESTART = 1012;

export function layersSink(socket: WebSocket): Sink {
  let unacknowledged: number[] = [];
  let lastTaken = performance.now();
  let waiting: EncodedPicture | null = null;
  let ended = false;

  const sendNote = (note: LiveNote): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(note));
  };
  function send(picture: EncodedPicture): void {
    if (unacknowledged.length === 0) lastTaken = performance.now();
    unacknowledged.push(picture.seq);
    socket.send(picture.bytes);
  }

  socket.on('message', (data, isBinary) => {
    const text = data as Buffer;
    const taken = !isBinary && text.length <= MESSAGE_MAX_BYTES ? readTaken(text) : null;
    if (taken === null) return socket.close(POLICY_VIOLATION, 'not understood');
    if (!unacknowledged.includes(taken)) return;
    lastTaken = performance.now();
    unacknowledged = unacknowledged.filter((seq) => seq > taken);
    const next = waiting;
    waiting = null;
    if (next && !ended && socket.readyState === socket.OPEN) send(next);
  });

  return {
    picture(picture) {
      if (ended || socket.readyState !== socket.OPEN) return;
      if (unacknowledged.length < UNACKNOWLEDGED_MAX) return send(picture);
      waiting = picture;
      if (performance.now() - lastTaken > TAKE_WITHIN_MS) socket.terminate();
    },
    note: sendNote,
    end(reason) {
      ended = true;
      waiting = null;
      sendNote({ type: 'end', reason });
      socket.close(reason === 'restart' ? SERVICE_RESTART : NORMAL, reason);
      // An unresponsive client could otherwise keep the connection, and get the waiting bytes long after the end.
      setTimeout(() => socket.terminate(), END_WITHIN_MS).unref();
    },
  };
}

function readTaken(text: Buffer): number | null {
  try {
    return liveTakenSchema.parse(JSON.parse(text.toString('utf8'))).seq;
  } catch {
    return null;
  }
}
