/**
 * Sends the face engine the state of the facility: all of it after a connection is opened, and then its changes. Says when
 * the engine has covered the privacy zones, and cuts off an engine that does not confirm it.
 */
import type { VisionCommand } from '@haris/contract/vision-live';
import { describeFailure, type Logger } from '@haris/runtime/log';
import type { WebSocket } from 'ws';
import type { LiveConnection } from './live-connection.ts';
import type { LiveState } from './live-state.ts';

export interface StateSenderOptions {
  readonly readState: () => Promise<LiveState>;
  /** Sends the gallery to the engine; returns its revision. */
  readonly sendGallery: () => Promise<number>;
  readonly log: Logger;
}

/** Interval for finding changes by other servers that came without a wake-up. Milliseconds. */
const SWEEP_MS = 5_000;
/** Longest time to read the state, and from saved zones to their confirmation by the engine. Milliseconds. */
const READ_WITHIN_MS = 10_000;
export const COVER_WITHIN_MS = 5_000;

/** State last sent to the connected engine. */
interface Sent {
  readonly cameras: string;
  readonly revision: number | null;
  readonly recognition: string;
}
const NOTHING: Sent = { cameras: '', revision: null, recognition: '' };

/** Looks for changes at intervals too. `onSent` is called with each state that the engine has received. */
export function openStateSender(
  { readState, sendGallery, log }: StateSenderOptions,
  connection: LiveConnection,
  send: (command: VisionCommand) => void,
  onSent: (state: LiveState) => void,
) {
  let sent = NOTHING;
  let sending: Promise<void> = Promise.resolve();
  let isQueued = false;
  let isStopped = false;
  const commands = countCommands();

  async function sendChanges(socket: WebSocket): Promise<void> {
    const state = await within(READ_WITHIN_MS, readState());
    // Send the gallery before the list of people to recognise, so that an outdated gallery names nobody.
    const revision = state.revision === sent.revision ? sent.revision : await sendGallery();
    if (connection.socket() !== socket) return;
    const cameras = JSON.stringify(state.cameras);
    if (cameras !== sent.cameras)
      send({ type: 'cameras', cameras: state.cameras, revision: commands.next() });
    const recognition = JSON.stringify(state.recognition);
    if (recognition !== sent.recognition) send(state.recognition);
    sent = { cameras, revision, recognition };
    onSent(state);
  }

  /** Sends one state at a time; all changes during one run lead to a single further run. */
  function refresh(): Promise<void> {
    if (isQueued || isStopped) return sending;
    isQueued = true;
    sending = sending.then(async () => {
      isQueued = false;
      const socket = connection.socket();
      if (!socket) return;
      try {
        await sendChanges(socket);
      } catch (error) {
        log.warn(describeFailure(error), 'the state of the facility could not be sent to the face engine');
        // Otherwise the engine would continue with outdated state. It forgets everything when the socket closes.
        socket.terminate();
      }
    });
    return sending;
  }

  async function cover(): Promise<void> {
    const socket = connection.socket();
    // A wire that opens later gets the zones before anything else.
    if (!socket) return;
    await coverInTime(socket, () => refresh().then(commands.lastConfirmed), log);
  }

  const sweep = setInterval(() => void refresh(), SWEEP_MS);
  sweep.unref();
  return {
    refresh,
    cover,
    onCovered: commands.confirm,
    onClose: commands.settleAll,
    /** Sends the whole state, for a new connection. */
    sendAll(): void {
      sent = NOTHING;
      void refresh();
    },
    /** Stops sending; resolves when the current run has ended. */
    async stop(): Promise<void> {
      isStopped = true;
      clearInterval(sweep);
      await sending;
    },
  };
}

/** Numbers the `cameras` commands, and knows up to which one the engine has confirmed them. */
function countCommands() {
  let last = 0;
  let confirmed = 0;
  let waiting: { readonly revision: number; readonly resolve: () => void }[] = [];

  function settle(): void {
    for (const { resolve } of waiting.filter(({ revision }) => revision <= confirmed)) resolve();
    waiting = waiting.filter(({ revision }) => revision > confirmed);
  }

  return {
    /** The number for a new command. */
    next: () => ++last,
    /** Resolves once the engine has confirmed the command that is the last one now. */
    lastConfirmed: () =>
      new Promise<void>((resolve) => {
        waiting.push({ revision: last, resolve });
        settle();
      }),
    /** The engine has confirmed this command and all before it. */
    confirm(revision: number): void {
      confirmed = Math.max(confirmed, revision);
      settle();
    },
    /** Nothing that was asked of the engine is answered any more, and it makes no pictures. */
    settleAll(): void {
      confirmed = last;
      settle();
    },
  };
}

/** Resolves once `cover` has, or once the socket is closed: an engine that takes longer than 5 s is cut off. */
async function coverInTime(socket: WebSocket, cover: () => Promise<void>, log: Logger): Promise<void> {
  const late = AbortSignal.timeout(COVER_WITHIN_MS);
  const cutOff = (): void => {
    log.error({ withinMs: COVER_WITHIN_MS }, 'the face engine did not confirm the privacy zones');
    socket.terminate();
  };
  late.addEventListener('abort', cutOff);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await Promise.race([closed, cover()]);
  late.removeEventListener('abort', cutOff);
}

/** Rejects if the promise takes longer. The promise itself goes on. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let late: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error('reading the state took too long')), ms);
  });
  try {
    return await Promise.race([promise, tooLong]);
  } finally {
    clearTimeout(late);
  }
}
