/**
 * Live link to the face engine: sends it the whole state of the facility, and receives pictures, reports on cameras and
 * sightings.
 */
import { encodeMessage } from '@haris/contract/live/video';
import {
  type CameraReport,
  type VisionCommand,
  type VisionNote,
  type VisionView,
  visionNoteSchema,
} from '@haris/contract/vision-live';
import { describeFailure, type Logger } from '@haris/runtime/log';
import type { WebSocket } from 'ws';
import type { VisionAddress } from './address.ts';
import { keepConnected, type LiveConnection } from './live-connection.ts';
import { findPictureProblem, type LivePicture, parseLivePicture } from './live-picture.ts';
import type { LiveState } from './live-state.ts';
import { createReports } from './reports.ts';

/** Track of a child, or of a face that stayed unknown (`childId` null). */
export type SeenNote = Omit<Extract<VisionNote, { type: 'seen' }>, 'type' | 'subject'> & {
  readonly childId: string | null;
};

/** Contents of a subscription. */
export interface Watched {
  readonly cameraId: string;
  readonly view: VisionView;
  readonly format: 'jpeg' | 'layers';
  readonly maxFps: number;
}

export interface VisionLink {
  /** Whether the face engine is connected and has received the state of the facility. */
  isUp(): boolean;
  /** Newest report on a camera; undefined while the link is down or if there is no report. */
  report(cameraId: string): CameraReport | undefined;
  /** Newest report on each camera. */
  reports(): readonly CameraReport[];
  /** Calls back with each new picture, also after a reconnect. Returns a function that unsubscribes. */
  watch(watched: Watched, onPicture: (picture: LivePicture) => void): () => void;
  /** Sends a device's picture to the engine; returns false if it was dropped, because the engine is away or behind. */
  sendDevicePicture(cameraId: string, capturedAt: number, jpeg: Uint8Array): boolean;
  /** Calls back with tracks of children and of faces that stayed unknown, never of adults. */
  onSeen(listener: (note: SeenNote) => void): () => void;
  /** Calls back when a camera's state changes, and when the link goes up or down. */
  onChange(listener: () => void): () => void;
  /** Reloads the state of the facility and sends changes to the engine. */
  refresh(): void;
  /**
   * Does the same, and resolves once every further picture has the privacy zones that are stored now: the engine has
   * confirmed it, or there is no wire. An engine that does not confirm it in time is cut off, which stops its cameras.
   */
  cover(): Promise<void>;
  stop(): Promise<void>;
}

export interface VisionLinkOptions {
  /** Null while there is no face engine. */
  readonly address: () => VisionAddress | null;
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
/** Unsent data above which pictures from devices are dropped. Bytes. */
const DEVICE_BACKLOG = 4 * 1024 * 1024;

interface Subscription extends Watched {
  readonly number: number;
  readonly onPicture: (picture: LivePicture) => void;
}

/** State last sent to the connected engine. */
interface Sent {
  readonly cameras: string;
  readonly revision: number | null;
  readonly recognition: string;
}
const NOTHING: Sent = { cameras: '', revision: null, recognition: '' };

/** Starts at once. */
export function openVisionLink(options: VisionLinkOptions): VisionLink {
  const { log } = options;
  const subscriptions = new Map<number, Subscription>();
  const seenListeners = new Set<(note: SeenNote) => void>();
  const changeListeners = new Set<() => void>();
  const reports = createReports();
  let up = false;
  let numbers = 0;

  const changed = (): void => {
    for (const listener of changeListeners) listener();
  };
  const send = (command: VisionCommand): void => connection.socket()?.send(JSON.stringify(command));
  const subscribe = ({ number, cameraId, view, format, maxFps }: Subscription): void =>
    send({ type: 'subscribe', subscription: number, cameraId, view, format, maxFps });

  /** Called when the engine has received the state; the first call per connection marks the link as up. */
  function onSent({ cameras }: LiveState): void {
    reports.keep(cameras.map(({ id }) => id));
    if (up) return;
    up = true;
    connection.works();
    for (const subscription of subscriptions.values()) subscribe(subscription);
    changed();
  }

  function onNote(note: VisionNote): void {
    if (note.type === 'report') {
      if (reports.put(note.report)) changed();
      return;
    }
    if (note.type === 'covered') {
      state.onCovered(note.revision);
      return;
    }
    const { type: _, subject, ...seen } = note;
    // Drop tracks of adults: they have only consented to their name in the pictures of staff.
    if (subject !== null && subject.kind !== 'child') return;
    for (const listener of seenListeners) listener({ ...seen, childId: subject?.id ?? null });
  }

  const connection = keepConnected(options, {
    onOpen: () => state.sendAll(),
    onMessage(data, isBinary) {
      try {
        if (isBinary) passOn(parseLivePicture(data), subscriptions);
        else onNote(visionNoteSchema.parse(JSON.parse(data.toString('utf8'))));
      } catch (error) {
        log.warn(describeFailure(error), 'the face engine sent something that is not as agreed');
      }
    },
    onClose() {
      const was = up;
      up = false;
      state.onClose();
      reports.keep([]);
      if (was) changed();
      return was;
    },
  });
  const state = openStateSender(options, connection, send, onSent);

  return {
    isUp: () => up,
    report: reports.of,
    reports: reports.all,
    watch(watched, onPicture) {
      const subscription = { ...watched, number: numbers++, onPicture };
      subscriptions.set(subscription.number, subscription);
      if (up) subscribe(subscription);
      return () => {
        if (subscriptions.delete(subscription.number) && up)
          send({ type: 'unsubscribe', subscription: subscription.number });
      };
    },
    sendDevicePicture(cameraId, capturedAt, jpeg) {
      const socket = connection.socket();
      if (!up || !socket || socket.bufferedAmount > DEVICE_BACKLOG) return false;
      socket.send(encodeMessage({ cameraId, capturedAt }, [jpeg]));
      return true;
    },
    onSeen(listener) {
      seenListeners.add(listener);
      return () => void seenListeners.delete(listener);
    },
    onChange(listener) {
      changeListeners.add(listener);
      return () => void changeListeners.delete(listener);
    },
    refresh: () => void state.refresh(),
    cover: state.cover,
    async stop() {
      const sent = state.stop();
      await connection.stop();
      await sent;
    },
  };
}

/** Delivers a picture to its subscriber. Throws a RangeError if the subscriber may not see it. */
function passOn(picture: LivePicture, subscriptions: ReadonlyMap<number, Subscription>): void {
  const subscription = subscriptions.get(picture.subscription);
  // The subscription may have ended while the picture was in transit.
  if (!subscription) return;
  const problem = findPictureProblem(picture, subscription.view, subscription.format);
  if (problem) throw new RangeError(problem);
  subscription.onPicture(picture);
}

/** Sends the engine the whole state of the facility after a connection is opened, and then its changes. */
function openStateSender(
  { readState, sendGallery, log }: VisionLinkOptions,
  connection: LiveConnection,
  send: (command: VisionCommand) => void,
  onSent: (state: LiveState) => void,
) {
  let sent = NOTHING;
  let sending: Promise<void> = Promise.resolve();
  let isQueued = false;
  let isStopped = false;
  /** Numbers of the last `cameras` command and of the last one that the engine has confirmed. */
  let asked = 0;
  let confirmed = 0;
  let waiting: { readonly revision: number; readonly resolve: () => void }[] = [];

  function settle(): void {
    for (const { resolve } of waiting.filter(({ revision }) => revision <= confirmed)) resolve();
    waiting = waiting.filter(({ revision }) => revision > confirmed);
  }

  async function sendChanges(socket: WebSocket): Promise<void> {
    const state = await within(READ_WITHIN_MS, readState());
    // Send the gallery before the list of people to recognise, so that an outdated gallery names nobody.
    const revision = state.revision === sent.revision ? sent.revision : await sendGallery();
    if (connection.socket() !== socket) return;
    const cameras = JSON.stringify(state.cameras);
    if (cameras !== sent.cameras) send({ type: 'cameras', cameras: state.cameras, revision: ++asked });
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
    const late = AbortSignal.timeout(COVER_WITHIN_MS);
    const cutOff = (): void => {
      log.error({ withinMs: COVER_WITHIN_MS }, 'the face engine did not confirm the privacy zones');
      socket.terminate();
    };
    late.addEventListener('abort', cutOff);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const done = refresh().then(
      () =>
        new Promise<void>((resolve) => {
          waiting.push({ revision: asked, resolve });
          settle();
        }),
    );
    await Promise.race([closed, done]);
    late.removeEventListener('abort', cutOff);
  }

  const sweep = setInterval(() => void refresh(), SWEEP_MS);
  sweep.unref();
  return {
    refresh,
    cover,
    onCovered(revision: number): void {
      confirmed = Math.max(confirmed, revision);
      settle();
    },
    /** Nothing that was asked of the engine is answered any more, and it makes no pictures. */
    onClose(): void {
      confirmed = asked;
      settle();
    },
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
