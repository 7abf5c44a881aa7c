/** Short words for the commands that most tests of the live wire give. */
import type { CameraTask, RosterEntry } from '@haris/contract/vision-live';
import type { ReceivedPicture, TestVision } from './vision.ts';

const THRESHOLD = 0.5;

export interface Session {
  /** Ends all cameras and subscriptions, waits for what was under way, and forgets it. */
  clear(): Promise<void>;
  setCameras(...cameras: readonly CameraTask[]): void;
  /** Children of these ids with these encodings, all inside but those in `outside`. */
  setChildren(encodings: ReadonlyMap<string, number[]>, outside?: readonly string[]): void;
  watch(subscription: number, childIds: readonly string[], more?: WatchOptions): void;
  watchWhole(subscription: number, more?: WatchOptions & { behindZones?: boolean }): void;
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
      // Its report comes after all pictures that were sent before: none of them is taken for one of the next test.
      const last = fileCamera(`last-${++cleared}`, '/nowhere', { enabled: false });
      vision.command({ type: 'cameras', cameras: [last] });
      await vision.waitFor(last.id, 'off');
      vision.command({ type: 'cameras', cameras: [] });
      vision.forget();
    },
    setCameras: (...cameras) => vision.command({ type: 'cameras', cameras: [...cameras] }),
    setChildren(encodings, outside = []) {
      const entries = [...encodings].map(
        ([subjectId, encoding]): RosterEntry => ({
          subjectId,
          kind: 'child',
          inside: !outside.includes(subjectId),
          encodings: [encoding],
        }),
      );
      vision.command({ type: 'roster', revision: 1, threshold: THRESHOLD, margin: 0.05, entries });
    },
    watch(subscription, childIds, { cameraId = 'hall', format = 'layers' } = {}) {
      const view = { kind: 'only' as const, childIds: [...childIds] };
      vision.command({ type: 'subscribe', subscription, cameraId, view, format, maxFps: 30 });
    },
    watchWhole(subscription, { cameraId = 'hall', format = 'layers', behindZones = false } = {}) {
      const view = { kind: 'whole', behindZones } as const;
      vision.command({ type: 'subscribe', subscription, cameraId, view, format, maxFps: 30 });
    },
  };
}

/** A file camera that is on and has no zones. */
export function fileCamera(id: string, url: string, more: Partial<CameraTask> = {}): CameraTask {
  return { id, kind: 'file', url, zones: [], enabled: true, ...more };
}

/** Whether a picture is of this subscription. */
export const of =
  (subscription: number) =>
  (picture: ReceivedPicture): boolean =>
    picture.header.subscription === subscription;

/** Children that are sharp in a picture of layers. */
export const shownIn = ({ header }: ReceivedPicture): string[] =>
  header.layers.flatMap(({ childId }) => (childId === undefined ? [] : [childId]));
