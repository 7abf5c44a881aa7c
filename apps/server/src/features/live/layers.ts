/** Pictures in layers over a WebSocket, at most two under way (contract, `live/video.ts`). Knows no rights. */
import { type LiveNote, liveTakenSchema } from '@haris/contract/live/video';
import type { WebSocket } from 'ws';
import type { Prepared, Sink } from './sink.ts';

const UNDER_WAY_MOST = 2;
/** A client that takes nothing for this long is closed. Milliseconds. */
const TAKE_WITHIN_MS = 30_000;
const END_WITHIN_MS = 500;
/** A client says nothing but which picture it has drawn. Bytes. */
const WORD_MAX_BYTES = 200;
/** Close codes of the protocol: all is well, against the rules, the server goes. */
const DONE = 1000;
const AGAINST_RULES = 1008;
const GOING = 1012;

export function layersSink(socket: WebSocket): Sink {
  let underWay: number[] = [];
  let lastTaken = performance.now();
  let waiting: Prepared | null = null;
  let ended = false;

  const say = (note: LiveNote): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(note));
  };
  function send(picture: Prepared): void {
    if (underWay.length === 0) lastTaken = performance.now();
    underWay.push(picture.seq);
    socket.send(picture.bytes);
  }

  socket.on('message', (data, isBinary) => {
    const text = data as Buffer;
    const taken = !isBinary && text.length <= WORD_MAX_BYTES ? readTaken(text) : null;
    if (taken === null) return socket.close(AGAINST_RULES, 'not understood');
    if (!underWay.includes(taken)) return;
    lastTaken = performance.now();
    underWay = underWay.filter((seq) => seq > taken);
    const next = waiting;
    waiting = null;
    if (next && !ended && socket.readyState === socket.OPEN) send(next);
  });

  return {
    picture(picture) {
      if (ended || socket.readyState !== socket.OPEN) return;
      if (underWay.length < UNDER_WAY_MOST) return send(picture);
      waiting = picture;
      if (performance.now() - lastTaken > TAKE_WITHIN_MS) socket.terminate();
    },
    note: say,
    end(reason) {
      ended = true;
      waiting = null;
      say({ type: 'end', reason });
      socket.close(reason === 'restart' ? GOING : DONE, reason);
      // Who does not answer would keep the connection, and get what waits long after the end.
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
