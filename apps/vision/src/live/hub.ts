/**
 * One session of the live wire: its cameras, its viewers, and the people whom the cameras may name. All state ends with
 * the session. Runs no network and decodes nothing; reports through `tell` and `send`.
 */
import { encodeMessage } from '@haris/contract/live/video';
import { type Subject, subjectKey } from '@haris/contract/subject';
import type { VisionGallery } from '@haris/contract/vision';
import type {
  CameraReport,
  SubscriptionPicture,
  VisionCommand,
  VisionNote,
} from '@haris/contract/vision-live';
import type { Logger } from '@haris/runtime/log';
import { type CameraProcess, startCameraProcess } from '../process/camera-process.ts';
import type { FacesProcess } from '../process/faces-process.ts';
import type { Limits } from '../process/limits.ts';
import type { FacesNote, PicturesNote, Subscription } from '../process/messages.ts';
import { NO_RECOGNITION } from '../recognition/live.ts';

export interface HubOptions {
  readonly faces: FacesProcess;
  readonly log: Logger;
  readonly logLevel: string;
  readonly limits: Limits;
  tell(note: VisionNote): void;
  /** Sends a binary message and calls `onSent` once it was sent or failed. */
  send(message: Uint8Array, onSent: () => void): void;
}

interface Viewer extends Subscription {
  readonly cameraId: string;
}

export class Hub {
  readonly #options: HubOptions;
  readonly #cameras = new Map<string, CameraProcess>();
  readonly #viewers = new Map<number, Viewer>();
  /** Ids of the children inside; only they may be shown sharp. */
  #inside: ReadonlySet<string> = new Set();
  /** Keys of all subjects in the gallery; only they may be named. */
  #enrolled: ReadonlySet<string> = new Set();

  constructor(options: HubOptions) {
    this.#options = options;
  }

  /** Process id of a camera, for tests that kill it. */
  pidOf(cameraId: string): number | undefined {
    return this.#cameras.get(cameraId)?.pid;
  }

  command(command: VisionCommand): void {
    switch (command.type) {
      case 'cameras':
        this.#setCameras(command.cameras);
        if (command.revision !== undefined) void this.#tellCovered(command.revision);
        break;
      case 'recognition': {
        const { threshold, margin, inside } = command;
        this.#inside = new Set(inside);
        this.#options.faces.setRules({ threshold, margin, inside });
        break;
      }
      case 'subscribe': {
        const { subscription, cameraId, view, format, maxFps } = command;
        const before = this.#viewers.get(subscription);
        this.#viewers.set(subscription, { subscription, cameraId, view, format, maxFps });
        this.#tellViewers(cameraId);
        if (before && before.cameraId !== cameraId) this.#tellViewers(before.cameraId);
        break;
      }
      case 'unsubscribe': {
        const viewer = this.#viewers.get(command.subscription);
        this.#viewers.delete(command.subscription);
        if (viewer) this.#tellViewers(viewer.cameraId);
        break;
      }
    }
  }

  /** Replaces the gallery. */
  setGallery(entries: VisionGallery['entries']): void {
    this.#enrolled = new Set(entries.map(({ subject }) => subjectKey(subject)));
    this.#options.faces.setGallery(entries);
  }

  /** Passes on a device's picture; drops it unless its camera is of kind `browser` and switched on. */
  push(cameraId: string, capturedAt: number, jpeg: Uint8Array): void {
    this.#cameras.get(cameraId)?.push(jpeg, capturedAt);
  }

  setRecognition(up: boolean): void {
    for (const camera of this.#cameras.values()) camera.setRecognition(up);
  }

  onFacesNote(note: Extract<FacesNote, { type: 'analysed' | 'done' | 'seen' }>): void {
    switch (note.type) {
      case 'analysed': {
        const { cameraId, seq, analysis } = note;
        // The rules may have changed while the frame was analysed.
        const faces = analysis.faces.map((face) =>
          face.subject === null || this.#mayName(face.subject)
            ? face
            : { ...face, subject: null, showable: false },
        );
        this.#cameras.get(cameraId)?.tell({ type: 'analysed', seq, analysis: { ...analysis, faces } });
        break;
      }
      case 'done':
        this.#cameras.get(note.cameraId)?.tell({ type: 'next', seq: note.seq });
        break;
      case 'seen':
        if (this.#cameras.has(note.seen.cameraId)) this.#options.tell(note.seen);
        break;
    }
  }

  /** Stops all cameras and clears the gallery and the rules. */
  close(): void {
    for (const [cameraId, camera] of this.#cameras) this.#remove(cameraId, camera);
    this.#viewers.clear();
    this.#inside = new Set();
    this.setGallery([]);
    this.#options.faces.setRules(NO_RECOGNITION);
  }

  #setCameras(tasks: Extract<VisionCommand, { type: 'cameras' }>['cameras']): void {
    const wanted = new Map(tasks.map((task) => [task.id, task]));
    for (const [cameraId, camera] of this.#cameras) if (!wanted.has(cameraId)) this.#remove(cameraId, camera);
    for (const [cameraId, task] of wanted) {
      const known = this.#cameras.get(cameraId);
      if (known) {
        if (JSON.stringify(known.task) !== JSON.stringify(task)) known.setTask(task);
        continue;
      }
      const { faces, log, logLevel, limits, tell } = this.#options;
      const camera = startCameraProcess(
        task,
        { log, logLevel, limits },
        {
          onReport: (report: CameraReport) => tell({ type: 'report', report }),
          onFrame: (note) => {
            const { seq, capturedAt, width, height, pixels } = note;
            const watched = this.#watchedOn(cameraId);
            if (faces.running)
              faces.send({ type: 'frame', cameraId, seq, capturedAt, width, height, pixels, watched });
          },
          onPictures: (note) => this.#deliver(cameraId, note),
          onEnded: () => faces.send({ type: 'forget', cameraId }),
        },
      );
      this.#cameras.set(cameraId, camera);
      camera.setRecognition(faces.running);
      this.#tellViewers(cameraId);
    }
  }

  async #tellCovered(revision: number): Promise<void> {
    await Promise.all([...this.#cameras.values()].map((camera) => camera.covered()));
    this.#options.tell({ type: 'covered', revision });
  }

  #mayName(subject: Subject): boolean {
    return (
      this.#enrolled.has(subjectKey(subject)) && (subject.kind !== 'child' || this.#inside.has(subject.id))
    );
  }

  #remove(cameraId: string, camera: CameraProcess): void {
    this.#cameras.delete(cameraId);
    camera.stop();
  }

  #viewersOf(cameraId: string): Viewer[] {
    return [...this.#viewers.values()].filter((viewer) => viewer.cameraId === cameraId);
  }

  #tellViewers(cameraId: string): void {
    this.#cameras.get(cameraId)?.setSubscriptions(this.#viewersOf(cameraId));
  }

  #watchedOn(cameraId: string): string[] {
    const ids = this.#viewersOf(cameraId).flatMap(({ view }) => (view.kind === 'only' ? view.childIds : []));
    return [...new Set(ids)].filter((childId) => this.#inside.has(childId));
  }

  #deliver(cameraId: string, note: PicturesNote): void {
    const camera = this.#cameras.get(cameraId);
    for (const { subscription, layers, shown, faces } of note.pictures) {
      const taken = (): void => camera?.tell({ type: 'taken', subscription });
      const viewer = this.#viewers.get(subscription);
      const isGone = viewer?.cameraId !== cameraId;
      // Last check before a child is shown sharp: it may have left, or this viewer may have lost the right to see it.
      const mayShow = (childId: string): boolean =>
        this.#mayName({ kind: 'child', id: childId }) &&
        viewer?.view.kind === 'only' &&
        viewer.view.childIds.includes(childId);
      const parts = layers.map(({ index }) => note.layers[index]);
      if (isGone || !shown.every(mayShow) || parts.some((part) => part === undefined)) {
        taken();
        continue;
      }
      const bytes = parts.filter((part) => part !== undefined);
      const { seq, capturedAt, width, height } = note;
      const header: SubscriptionPicture = {
        subscription,
        seq,
        capturedAt,
        width,
        height,
        layers: layers.map(({ box, childId, feather }, i) => ({
          bytes: bytes[i]?.length ?? 0,
          box,
          ...(childId !== undefined && { childId }),
          ...(feather !== undefined && { feather }),
        })),
        ...(faces && viewer?.view.kind === 'whole' && { faces }),
      };
      this.#options.send(encodeMessage(header, bytes), taken);
    }
  }
}
