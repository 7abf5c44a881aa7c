/** One open connection that gets pictures: its subscription to a feed, and the notes sent to it. */
import type { LiveNote } from '@haris/contract/live/video';
import type { VisionView } from '@haris/contract/vision-live';
import type { Actor } from '../../actor.ts';
import type { Clock } from '../../clock.ts';
import { type Feeds, feedKey } from './feeds.ts';
import type { PictureFormat } from './picture-encoder.ts';
import type { Placement } from './placement.ts';
import type { Subject } from './rights.ts';
import type { EndReason, Sink } from './sink.ts';

/** Interval at which a `waiting` note is repeated, so that a quiet connection does not look dead. Milliseconds. */
const WAITING_REPEATED_MS = 30_000;

export interface Viewer {
  readonly actor: Actor;
  readonly subject: Subject;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** When the child was checked in, as of the last rights check. Milliseconds since 1970. */
  entryTime: number;
  /** Facility at which the child is inside, as of the last rights check; null before the first check. */
  facility: string | null;
  /** View of a camera that this viewer may see, as of the last rights check; null before the first check. */
  view: VisionView | null;
  /** Camera that shows the subject, or that showed it last. */
  cameraId(): string | null;
  /** Subscribes to the feed of a camera, and sends notes about changes. Does nothing while `view` is null. */
  show(placement: Placement): void;
  /** Stops the pictures until `view` is set again. */
  suspend(): void;
  /** Stops the pictures permanently. */
  stop(): void;
  /** Stops the pictures, sends the client the reason, and closes its connection. */
  end(reason: EndReason): void;
}

export interface ViewerParts extends Pick<Viewer, 'actor' | 'subject'> {
  readonly format: PictureFormat;
  readonly sink: Sink;
  readonly feeds: Feeds;
  readonly clock: Clock;
}

export function createViewer({ actor, subject, format, sink, feeds, clock }: ViewerParts): Viewer {
  let cameraId: string | null = null;
  let subscribedTo: string | null = null;
  let unsubscribe = (): void => {};
  /** Current notes as JSON, and the time at which notes were last sent. */
  let notes = '';
  let notedAt = 0;

  function sendNotes({ camera, waiting }: Placement): void {
    const current: LiveNote[] = [
      ...(camera
        ? [{ type: 'camera', cameraId: camera.id, area: camera.area, name: camera.name } as const]
        : []),
      ...(waiting ? [waiting] : []),
    ];
    const now = clock.now();
    const isNew = JSON.stringify(current) !== notes;
    const isDue = !isNew && waiting !== null && now - notedAt >= WAITING_REPEATED_MS;
    if (isNew) for (const note of current) sink.note(note);
    if (isDue) sink.note(waiting);
    if (isNew || isDue) notedAt = now;
    notes = JSON.stringify(current);
  }

  const viewer: Viewer = {
    actor,
    subject,
    startedAt: clock.now(),
    entryTime: 0,
    facility: null,
    view: null,
    cameraId: () => cameraId,
    show(placement) {
      if (!viewer.view) return;
      const { camera } = placement;
      const feed = camera && { cameraId: camera.id, view: viewer.view, format };
      cameraId = camera?.id ?? cameraId;
      sendNotes(placement);
      const key = feed && feedKey(feed);
      if (key === subscribedTo) return;
      unsubscribe();
      subscribedTo = key;
      unsubscribe = feed ? feeds.subscribe(feed, sink.picture) : () => {};
    },
    suspend() {
      unsubscribe();
      unsubscribe = () => {};
      subscribedTo = null;
      notes = '';
      viewer.view = null;
    },
    stop: () => unsubscribe(),
    end(reason) {
      // Unsubscribe first, before anything can fail.
      unsubscribe();
      sink.end(reason);
    },
  };
  return viewer;
}
