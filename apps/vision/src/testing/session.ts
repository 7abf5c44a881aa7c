/** Shorthand for the commands that most live-wire tests send. */
import type { CameraTask } from '@haris/contract/vision-live';
import type { ReceivedPicture, TestVision } from './vision.ts';

const THRESHOLD = 0.5;

export interface Session {
  /** Ends all cameras and subscriptions, waits for pictures still in transit, and discards them. */
  clear(): Promise<void>;
  setCameras(...cameras: readonly CameraTask[]): void;
  /** Enrols children by id and encoding; all are inside except those in `outside`. */
  setChildren(encodings: ReadonlyMap<string, number[]>, outside?: readonly string[]): Promise<void>;
  watch(subscription: number, childIds: readonly string[], more?: WatchOptions): void;
  watchWhole(subscription: number, more?: WatchOptions): void;
}

interface WatchOptions {
  readonly cameraId?: string;
  readonly format?: 'jpeg' | 'layers';
}

const SUBSCRIPTIONS = 20;

export function openSession(vision: TestVision): Session {
  let cleared = 0;
  return {
    async clear() {
      for (let subscription = 0; subscription < SUBSCRIPTIONS; subscription++)
        vision.command({ type: 'unsubscribe', subscription });
      // This camera's report arrives after all earlier pictures, so that none of them reaches the next test.
      const last = fileCamera(`last-${++cleared}`, '/nowhere', { enabled: false });
      vision.command({ type: 'cameras', cameras: [last] });
      await vision.waitFor(last.id, 'off');
      vision.command({ type: 'cameras', cameras: [] });
      vision.forget();
    },
    setCameras: (...cameras) => vision.command({ type: 'cameras', cameras: [...cameras] }),
    async setChildren(encodings, outside = []) {
      await vision.putGallery(
        [...encodings].map(([id, encoding]) => ({
          subject: { kind: 'child', id },
          encodings: [encoding],
        })),
      );
      const inside = [...encodings.keys()].filter((id) => !outside.includes(id));
      vision.command({ type: 'recognition', threshold: THRESHOLD, margin: 0.05, inside });
    },
    watch(subscription, childIds, { cameraId = 'hall', format = 'layers' } = {}) {
      const view = { kind: 'only' as const, childIds: [...childIds] };
      vision.command({ type: 'subscribe', subscription, cameraId, view, format, maxFps: 30 });
    },
    watchWhole(subscription, { cameraId = 'hall', format = 'layers' } = {}) {
      const view = { kind: 'whole' } as const;
      vision.command({ type: 'subscribe', subscription, cameraId, view, format, maxFps: 30 });
    },
  };
}

/** A file camera that is switched on and has no zones. */
export function fileCamera(id: string, url: string, more: Partial<CameraTask> = {}): CameraTask {
  return { id, kind: 'file', url, zones: [], enabled: true, ...more };
}

/** Returns a test whether a picture belongs to this subscription. */
export const of =
  (subscription: number) =>
  (picture: ReceivedPicture): boolean =>
    picture.header.subscription === subscription;

/** Ids of the children that are sharp in a picture of layers. */
export const shownIn = ({ header }: ReceivedPicture): string[] =>
  header.layers.flatMap(({ childId }) => (childId === undefined ? [] : [childId]));
