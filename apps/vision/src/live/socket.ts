/**
 * The live wire: `GET /live` as a WebSocket with the token, beside the app's calls. One session at a time, of the server
 * that has the seat; a new one of the same server ends the one before, and with its socket a session and all it knows ends.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { decodeMessage } from '@haris/contract/live/video';
import { VISION_SERVER_HEADER } from '@haris/contract/vision';
import { deviceFrameSchema, VISION_LIVE_PATH, visionCommandSchema } from '@haris/contract/vision-live';
import { describeFailure, type Logger } from '@haris/runtime/log';
import { type WebSocket, WebSocketServer } from 'ws';
import type { FacesProcess } from '../process/faces-process.ts';
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

/** 10,000 people with five encodings each, as JSON. */
const MESSAGE_LIMIT = 160 * 1024 * 1024;
/** A wire of which the other side is gone without a word ends after one to two of these. */
const PING_EVERY_MS = 4_000;
const FAREWELL = 1000;
const BAD_MESSAGE = 1008;
const REPLACED = 4000;

export function openLiveWire(
  server: Server,
  {
    token,
    seat,
    faces,
    log,
    logLevel,
  }: { token: string; seat: Seat; faces: FacesProcess; log: Logger; logLevel: string },
): LiveWire {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MESSAGE_LIMIT,
  });
  const expected = hashToken(`Bearer ${token}`);
  /** The newest wire, also when its session has ended before it. */
  let current: WebSocket | null = null;
  let session: { readonly socket: WebSocket; readonly hub: Hub } | null = null;

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const isLive = request.url === VISION_LIVE_PATH;
    const isServer = timingSafeEqual(hashToken(request.headers.authorization ?? ''), expected);
    const server = String(request.headers[VISION_SERVER_HEADER] ?? '');
    if (isLive && isServer && seat.claim(server)) {
      sockets.handleUpgrade(request, socket, head, (opened) => {
        if (seat.take(server)) begin(opened);
        else opened.terminate();
      });
      return;
    }
    const status = !isLive ? '404 Not Found' : !isServer ? '401 Unauthorized' : '409 Conflict';
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  }

  function begin(socket: WebSocket): void {
    endSession(REPLACED);
    const hub = new Hub({
      faces,
      log,
      logLevel,
      tell: (note) => {
        if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(note));
      },
      send: (message, onSent) => {
        if (socket.readyState === socket.OPEN) socket.send(message, onSent);
        else onSent();
      },
    });
    session = { socket, hub };
    current = socket;
    let alive = true;
    const ping = setInterval(() => {
      if (!alive) return socket.terminate();
      alive = false;
      socket.ping();
    }, PING_EVERY_MS);
    socket.on('pong', () => {
      alive = true;
    });
    socket.on('message', (data, isBinary) => {
      if (session?.socket !== socket) return;
      alive = true;
      try {
        read(hub, asBytes(data), isBinary);
      } catch (error) {
        // A command that is not understood could be the end of a right: better no session than a wrong one.
        log.error(describeFailure(error), 'a live command is not as agreed');
        socket.close(BAD_MESSAGE, 'not as agreed');
        endSession(BAD_MESSAGE);
      }
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', (code) => {
      clearInterval(ping);
      // A wire that this server has replaced does not release the seat.
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
      endSession(1001);
      socket?.terminate();
      sockets.close();
    },
  };
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
