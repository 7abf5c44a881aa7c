/** Runs one socket of a live stream from opening to end; its caller fetches tickets and reconnects. */
import { decodePicture, LIVE_PATH, type LiveNote, liveNoteSchema } from '@haris/contract/live/video';
import type { EndReason, StreamHandlers, StreamView } from './stream-view.ts';

/** A socket without pictures and notes for this long is treated as dead. Milliseconds. */
const SILENCE_MS = 10_000;
/** Same limit while the server has reported that there is nothing to show. */
const WAITING_SILENCE_MS = 60_000;
/** A socket must be open within this time. Milliseconds. */
const OPEN_WITHIN_MS = 10_000;

/** Outcome of one connection. */
export type Outcome =
  | { readonly kind: 'ended'; readonly reason: EndReason }
  /** The socket was open and broke; `shown`: whether a picture arrived. */
  | { readonly kind: 'broken'; readonly shown: boolean }
  /** The socket could not be opened at all. */
  | { readonly kind: 'refused' };

export interface SocketHandlers {
  onOpen: () => void;
  /** Called with the server's notes, except those that end the stream. */
  onNote: (change: Pick<StreamView, 'waiting'> | Pick<StreamView, 'waiting' | 'camera'>) => void;
  onPicture: StreamHandlers['onPicture'];
}

function addressOf(ticket: string): URL {
  const url = new URL(LIVE_PATH, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.searchParams.set('ticket', ticket);
  return url;
}

export function followSocket(
  ticket: string,
  handlers: SocketHandlers,
  signal: AbortSignal,
): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const socket = new WebSocket(addressOf(ticket));
  socket.binaryType = 'arraybuffer';
  let isOpen = false;
  let shown = false;
  let silenceMs = SILENCE_MS;
  let timer = setTimeout(() => finish(), OPEN_WITHIN_MS);

  function finish(reason: EndReason | null = null): void {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
    socket.close();
    if (reason !== null) resolve({ kind: 'ended', reason });
    else resolve(isOpen ? { kind: 'broken', shown } : { kind: 'refused' });
  }
  function abort(): void {
    finish();
  }
  function waitForMore(): void {
    clearTimeout(timer);
    timer = setTimeout(abort, silenceMs);
  }
  function takeNote(note: LiveNote): void {
    if (note.type === 'end') {
      finish(note.reason === 'restart' ? null : note.reason);
      return;
    }
    silenceMs = note.type === 'waiting' ? WAITING_SILENCE_MS : SILENCE_MS;
    if (note.type === 'waiting') handlers.onNote({ waiting: note.reason });
    else
      handlers.onNote({
        camera: { id: note.cameraId, area: note.area, name: note.name },
        waiting: null,
      });
  }
  function takePicture(message: ArrayBuffer): void {
    const { header, layers } = decodePicture(new Uint8Array(message));
    shown = true;
    handlers.onPicture(header, layers as Uint8Array<ArrayBuffer>[], () => {
      if (socket.readyState !== WebSocket.OPEN) return;
      socket.send(JSON.stringify({ type: 'taken', seq: header.seq }));
    });
  }

  socket.onopen = () => {
    isOpen = true;
    handlers.onOpen();
    waitForMore();
  };
  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    try {
      if (typeof data === 'string') takeNote(liveNoteSchema.parse(JSON.parse(data)));
      else takePicture(data);
    } catch {
      // The message violates this contract, perhaps because the server has another version: reconnect.
      finish();
    }
    if (socket.onmessage !== null) waitForMore();
  };
  socket.onclose = abort;
  socket.onerror = () => {};
  signal.addEventListener('abort', abort);
  if (signal.aborted) finish();
  return promise;
}
