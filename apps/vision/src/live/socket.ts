/**
 * The live wire: `GET /live` as a WebSocket with the bearer token, on the app's port. Only the server with the seat gets a
 * session, one at a time; its new session replaces the previous one. A session and all its state end with its socket.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { decodeMessage } from '@haris/contract/live/video';
import { VISION_SERVER_HEADER } from '@haris/contract/vision';
import { deviceFrameSchema, VISION_LIVE_PATH, visionCommandSchema } from '@haris/contract/vision-live';
import { describeFailure, type Logger } from '@haris/runtime/log';
import { type WebSocket, WebSocketServer } from 'ws';
import type { EnrolledFaces } from '../faces/enrolled.ts';
import type { FacesProcess } from '../process/faces-process.ts';
import type { Limits } from '../process/limits.ts';
import type { FacesNote } from '../process/messages.ts';
import { hashToken } from '../token.ts';
import { Hub } from './hub.ts';
import type { Seat } from './seat.ts';

export interface LiveWire {
  setRecognition(up: boolean): void;
  onFacesNote(note: Extract<FacesNote, { type: 'analysed' | 'done' | 'seen' }>): void;
  /** Process id of a camera of the session, for tests that kill it. */
  pidOf(cameraId: string): number | undefined;
  close(): void;
}

/** Fits 10,000 people with five encodings each, as JSON. Bytes. */
const MESSAGE_LIMIT = 160 * 1024 * 1024;
const FAREWELL = 1000;
const GOING_AWAY = 1001;
const BAD_MESSAGE = 1008;
const REPLACED = 4000;

export interface LiveWireOptions {
  readonly token: string;
  readonly seat: Seat;
  readonly enrolled: EnrolledFaces;
  readonly faces: FacesProcess;
  readonly log: Logger;
  readonly logLevel: string;
  readonly limits: Limits;
}

export function openLiveWire(server: Server, options: LiveWireOptions): LiveWire {
  const { seat, enrolled, log } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MESSAGE_LIMIT,
  });
  /** The newest socket; it may outlive its session. */
  let current: WebSocket | null = null;
  let session: { readonly socket: WebSocket; readonly hub: Hub } | null = null;

  const judge = createDoorkeeper(options);
  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const refusal = judge(request);
    if (refusal !== null) {
      socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      const server = serverOf(request);
      if (seat.take(server)) begin(opened, server);
      else opened.terminate();
    });
  }

  function begin(socket: WebSocket, server: string): void {
    endSession(REPLACED);
    const hub = openHub(socket, options);
    session = { socket, hub };
    const stopListening = enrolled.onPut((from, entries) => {
      if (from === server && session?.socket === socket) hub.setGallery(entries);
    });
    current = socket;
    const life = watchLife(socket, options.limits.pingMs);
    socket.on('message', (data, isBinary) => {
      if (session?.socket !== socket) return;
      life.heard();
      try {
        read(hub, asBytes(data), isBinary);
      } catch (error) {
        // The unreadable command may have withdrawn a right, so end the session.
        log.error(describeFailure(error), 'a live command is not as agreed');
        socket.close(BAD_MESSAGE, 'not as agreed');
        endSession(BAD_MESSAGE);
      }
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', (code) => {
      life.stop();
      stopListening();
      // A socket that its server has replaced must not release the seat.
      if (current !== socket) return;
      seat.leave(code === FAREWELL);
      endSession(BAD_MESSAGE);
    });
  }

  function endSession(code: number): void {
    const ending = session;
    session = null;
    if (!ending) return;
    ending.hub.close();
    enrolled.forget();
    ending.socket.close(code);
  }

  server.on('upgrade', onUpgrade);
  return {
    setRecognition: (up) => session?.hub.setRecognition(up),
    onFacesNote: (note) => session?.hub.onFacesNote(note),
    pidOf: (cameraId) => session?.hub.pidOf(cameraId),
    close() {
      server.off('upgrade', onUpgrade);
      const socket = session?.socket;
      endSession(GOING_AWAY);
      socket?.terminate();
      sockets.close();
    },
  };
}

/** Returns a check of upgrade requests. It returns the status line of a refusal, or null after reserving the seat. */
function createDoorkeeper({ token, seat }: LiveWireOptions): (request: IncomingMessage) => string | null {
  const expected = hashToken(`Bearer ${token}`);
  return (request) => {
    if (request.url !== VISION_LIVE_PATH) return '404 Not Found';
    if (!timingSafeEqual(hashToken(request.headers.authorization ?? ''), expected)) return '401 Unauthorized';
    return seat.claim(serverOf(request)) ? null : '409 Conflict';
  };
}

/** The id of the calling server; empty without one. */
function serverOf({ headers }: IncomingMessage): string {
  return String(headers[VISION_SERVER_HEADER] ?? '');
}

function openHub(socket: WebSocket, { faces, log, logLevel, limits }: LiveWireOptions): Hub {
  return new Hub({
    faces,
    log,
    logLevel,
    limits,
    tell: (note) => {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(note));
    },
    send: (message, onSent) => {
      if (socket.readyState === socket.OPEN) socket.send(message, onSent);
      else onSent();
    },
  });
}

/** Pings a socket and terminates it if the other side stays silent for one to two ping intervals. */
function watchLife(socket: WebSocket, pingMs: number): { heard(): void; stop(): void } {
  let alive = true;
  const ping = setInterval(() => {
    if (!alive) return socket.terminate();
    alive = false;
    socket.ping();
  }, pingMs);
  const heard = (): void => {
    alive = true;
  };
  socket.on('pong', heard);
  return { heard, stop: () => clearInterval(ping) };
}

function read(hub: Hub, bytes: Buffer, isBinary: boolean): void {
  if (!isBinary) {
    hub.command(visionCommandSchema.parse(JSON.parse(bytes.toString('utf8'))));
    return;
  }
  const { json, rest } = decodeMessage(bytes);
  const { cameraId, capturedAt } = deviceFrameSchema.parse(json);
  hub.push(cameraId, capturedAt, rest);
}

function asBytes(data: Buffer | ArrayBuffer | Buffer[]): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
