/** Keeps one WebSocket to the face engine open: connects, pings, and reconnects with a back-off. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { VISION_LIVE_PATH } from '@haris/contract/vision-live';
import { createBackoff } from '@haris/runtime/backoff';
import type { Logger } from '@haris/runtime/log';
import { WebSocket } from 'ws';
import { headersFor, type VisionAddress } from './address.ts';

export interface LiveConnection {
  /** Current socket; null unless it is open. */
  socket(): WebSocket | null;
  /** Resets the back-off, because the connection works. */
  works(): void;
  /** Closes the connection cleanly, so that another server can take the engine at once. */
  stop(): Promise<void>;
}

export interface LiveConnectionOptions {
  /** Null while there is no face engine. */
  readonly address: () => VisionAddress | null;
  readonly log: Logger;
}

export interface LiveConnectionEvents {
  onOpen(socket: WebSocket): void;
  onMessage(data: Buffer, isBinary: boolean): void;
  /** Returns whether the connection had worked; only then its loss is logged. */
  onClose(): boolean;
}

/** First and longest pause before the next attempt, without an address or after a lost connection. Milliseconds. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** Pause between attempts while another server controls the engine. Milliseconds. */
const TAKEN_PAUSE_MS = 15_000;
/** How long to wait for a clean close. Milliseconds. */
const FAREWELL_WITHIN_MS = 1_000;
const FAREWELL = 1000;
/** Interval between pings; the engine must respond to each before the next one. Milliseconds. */
const PING_MS = 5_000;
/** Maximum size of a message; a 4K picture has less than 4 MB. Bytes. */
const MESSAGE_LIMIT = 16 * 1024 * 1024;

/** Connects at once. */
export function keepConnected(
  { address, log }: LiveConnectionOptions,
  events: LiveConnectionEvents,
): LiveConnection {
  const backoff = createBackoff({ firstMs: FIRST_PAUSE_MS, longestMs: LONGEST_PAUSE_MS });
  let socket: WebSocket | null = null;
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;

  function connectIn(ms: number): void {
    retry = setTimeout(connect, ms);
    retry.unref();
  }

  function connect(): void {
    const target = address();
    if (!target) {
      connectIn(FIRST_PAUSE_MS);
      return;
    }
    const mine = openSocket(target);
    socket = mine;
    let isTaken = false;
    mine.on('unexpected-response', (_request, { statusCode }) => {
      isTaken = statusCode === 409;
      mine.terminate();
    });
    mine.on('open', () => events.onOpen(mine));
    mine.on('message', (data, isBinary) => events.onMessage(data as Buffer, isBinary));
    mine.on('close', () => {
      if (socket !== mine) return;
      socket = null;
      const worked = events.onClose();
      if (isStopped) return;
      if (isTaken) {
        // Leave the engine to the other server while it runs, or both would keep disconnecting each other.
        log.error({ againInMs: TAKEN_PAUSE_MS }, 'another server controls the face engine');
        backoff.reset();
        connectIn(TAKEN_PAUSE_MS);
        return;
      }
      const againInMs = backoff.next();
      if (worked) log.warn({ againInMs }, 'the live wire to the face engine broke');
      connectIn(againInMs);
    });
  }

  connect();
  return {
    socket: () => (socket?.readyState === WebSocket.OPEN ? socket : null),
    works: () => backoff.reset(),
    async stop() {
      isStopped = true;
      clearTimeout(retry);
      const mine = socket;
      if (mine?.readyState === WebSocket.OPEN) {
        const gone = once(mine, 'close');
        mine.close(FAREWELL);
        await Promise.race([gone, sleep(FAREWELL_WITHIN_MS, undefined, { ref: false })]);
      }
      mine?.terminate();
    },
  };
}

/** Opens a socket that terminates itself when the engine no longer responds to pings. */
function openSocket(target: VisionAddress): WebSocket {
  const socket = new WebSocket(target.url.replace(/^http/, 'ws') + VISION_LIVE_PATH, {
    headers: headersFor(target),
    ...(target.ca !== null && { ca: target.ca }),
    perMessageDeflate: false,
    maxPayload: MESSAGE_LIMIT,
    handshakeTimeout: PING_MS,
  });
  let answered = true;
  const pings = setInterval(() => {
    if (!answered) return socket.terminate();
    answered = false;
    if (socket.readyState === WebSocket.OPEN) socket.ping();
  }, PING_MS);
  pings.unref();
  socket.on('pong', () => {
    answered = true;
  });
  // A `close` event follows.
  socket.on('error', () => {});
  socket.on('close', () => clearInterval(pings));
  return socket;
}
