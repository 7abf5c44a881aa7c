/** A client of `WS /api/live` that stores all notes and pictures in order. */
import { decodePicture, type LiveNote, liveNoteSchema, type PictureHeader } from '@haris/contract/live/video';
import { WebSocket } from 'ws';

export interface LivePictureGot {
  readonly header: PictureHeader;
  readonly layers: Uint8Array[];
}

export interface LiveClient {
  readonly socket: WebSocket;
  readonly notes: LiveNote[];
  readonly pictures: LivePictureGot[];
  /** Close code, once closed. */
  readonly closed: Promise<number>;
  isOpen(): boolean;
  taken(seq: number): void;
  close(): void;
}

export interface LiveAsk {
  readonly token?: string;
  /** Acknowledges each picture. */
  readonly takes?: boolean;
}

/** Opens a client; rejects with an Error `refused <status>: <body>` if the upgrade is refused. */
export function openLive(port: number, path: string, ask: LiveAsk = {}): Promise<LiveClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, ask.token ? ['bearer', ask.token] : []);
  const notes: LiveNote[] = [];
  const pictures: LivePictureGot[] = [];
  const taken = (seq: number): void => socket.send(JSON.stringify({ type: 'taken', seq }));
  const closed = new Promise<number>((resolve) => {
    socket.once('close', (code) => resolve(code));
  });
  socket.on('message', (data, isBinary) => {
    if (!isBinary) {
      notes.push(liveNoteSchema.parse(JSON.parse(String(data))));
      return;
    }
    const picture = decodePicture(data as Buffer);
    pictures.push(picture);
    if (ask.takes) taken(picture.header.seq);
  });
  return new Promise((resolve, reject) => {
    socket.on('unexpected-response', (_request, answer) => {
      let body = '';
      answer.on('data', (chunk) => {
        body += String(chunk);
      });
      answer.on('end', () => reject(new Error(`refused ${answer.statusCode}: ${body}`)));
    });
    socket.on('error', reject);
    socket.once('open', () =>
      resolve({
        socket,
        notes,
        pictures,
        closed,
        isOpen: () => socket.readyState === WebSocket.OPEN,
        taken,
        close: () => socket.terminate(),
      }),
    );
  });
}
