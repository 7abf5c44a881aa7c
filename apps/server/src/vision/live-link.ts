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
import { describeFailure } from '@haris/runtime/log';
import type { VisionAddress } from './address.ts';
import { keepConnected } from './live-connection.ts';
import { findPictureProblem, type LivePicture, parseLivePicture } from './live-picture.ts';
import type { LiveState } from './live-state.ts';
import { createReports } from './reports.ts';
import { openStateSender, type StateSenderOptions } from './state-sender.ts';

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

export interface VisionLinkOptions extends StateSenderOptions {
  /** Null while there is no face engine. */
  readonly address: () => VisionAddress | null;
}

/** Unsent data above which pictures from devices are dropped. Bytes. */
const DEVICE_BACKLOG = 4 * 1024 * 1024;

interface Subscription extends Watched {
  readonly number: number;
  readonly onPicture: (picture: LivePicture) => void;
}

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
