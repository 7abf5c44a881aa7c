/** The hub's side of the faces process: starts, watches and restarts it, and sends it photos and frames. */
import { join } from 'node:path';
import type { VisionGallery } from '@haris/contract/vision';
import { createBackoff } from '@haris/runtime/backoff';
import { type ChildOptions, superviseChild } from '@haris/runtime/child';
import type { Logger } from '@haris/runtime/log';
import { startWatchdog, type Watchdog } from '@haris/runtime/watchdog';
import { FaceProblemError, type Recognizer } from '../faces/recognizer.ts';
import { type Photo, UnreadablePhotoError } from '../picture/photo.ts';
import { NO_RECOGNITION, type RecognitionRules } from '../recognition/live.ts';
import { asBuffer } from './as-buffer.ts';
import type { Limits } from './limits.ts';
import type { FacesNote, FacesOrder } from './messages.ts';

/** The process is down or starting, so no photo can be searched now. */
export class FacesDownError extends Error {
  override name = 'FacesDownError';
}

export interface FacesEvents {
  /** The process became ready (true) or ended (false). */
  onRunning(running: boolean): void;
  onNote(note: Extract<FacesNote, { type: 'analysed' | 'done' | 'seen' }>): void;
}

/** A recognizer of photos that are already decoded. */
type FacesOfPhotos = Pick<Recognizer, 'model'> & {
  [Call in Exclude<keyof Recognizer, 'model' | 'normalize'>]: (photo: Photo) => ReturnType<Recognizer[Call]>;
};

export interface FacesProcess {
  /** Resolves when the process is ready for the first time; rejects if it ends before. */
  readonly started: Promise<void>;
  readonly running: boolean;
  /** Process id while it runs. */
  readonly pid: number | undefined;
  /** Searches decoded photos. Its methods may also throw {@link FacesDownError}. */
  readonly recognizer: FacesOfPhotos;
  /** Sets the gallery; a restarted process gets the same one. */
  setGallery(entries: VisionGallery['entries']): void;
  /** Sets the matching rules and the children who may be named; a restarted process gets the same ones. */
  setRules(rules: RecognitionRules): void;
  send(order: Extract<FacesOrder, { type: 'frame' | 'forget' }>): void;
  stop(): void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** After this uptime the restart back-off starts anew. */
const WELL_AFTER_MS = 30_000;
/** Time for the process to load the networks and run each once. Milliseconds. */
const START_WITHIN_MS = 60_000;
/** A photo or frame takes some 30 ms; a process that finishes none for this long hangs. Milliseconds. */
const ANSWER_WITHIN_MS = 10_000;

const program = join(import.meta.dirname, '../faces-main.ts');

export interface FacesOptions {
  readonly modelsDir: string;
  readonly logLevel: string;
  readonly log: Logger;
  readonly limits: Limits;
}

export function startFacesProcess(options: FacesOptions, events: FacesEvents): FacesProcess {
  const { log } = options;
  let running = false;
  let model: string | null = null;
  let entries: VisionGallery['entries'] = [];
  let rules = NO_RECOGNITION;
  const started = Promise.withResolvers<void>();
  const tell = (order: FacesOrder): void => supervisor.child?.send(order);
  const work = openWork(() => {
    log.error({ pid: supervisor.child?.pid }, 'the faces process does not do its work');
    supervisor.child?.kill();
  });
  const backoff = createBackoff({
    firstMs: FIRST_PAUSE_MS,
    longestMs: LONGEST_PAUSE_MS,
    resetAfterMs: WELL_AFTER_MS,
  });

  function onReady(pid: number | undefined, name: string): void {
    running = true;
    model = name;
    // Send both before any frame, so that the process names only people who may be named.
    tell({ type: 'gallery', entries });
    tell({ type: 'rules', rules });
    log.info({ pid }, 'the faces process is ready');
    started.resolve();
    events.onRunning(true);
  }

  const supervisor = superviseChild(
    { ...childOptionsOf(options), backoff },
    {
      onMessage(message, child) {
        // Trusted without parsing: our own program, which reads no camera stream.
        const note = message as FacesNote;
        if (note.type === 'ready') {
          child.ready();
          onReady(child.pid, note.model);
        } else if (note.type === 'answer' || note.type === 'failure') work.onAnswer(note);
        else if (note.type !== 'beat') {
          if (note.type === 'done') work.onFrameDone(note.cameraId);
          events.onNote(note);
        }
        if (running) backoff.works();
      },
      onSilent: ({ pid }) => log.error({ pid }, 'the faces process hangs'),
      onEnd({ code, signal }, againInMs) {
        running = false;
        work.giveUp();
        if (model === null) started.reject(new FacesDownError());
        events.onRunning(false);
        log.warn({ code, signal, againInMs }, 'the faces process ended');
      },
    },
  );

  function ask<T>(call: PhotoCall, photo: Photo): Promise<T> {
    if (!running) return Promise.reject(new FacesDownError());
    return work.ask<T>((id) => tell({ type: 'photo', id, call, photo }));
  }

  // Callers that do not await `started` see a failure in `running`, so a rejection needs no handler.
  started.promise.catch(() => {});
  return {
    started: started.promise,
    get running() {
      return running;
    },
    get pid() {
      return supervisor.child?.pid;
    },
    recognizer: openRecognizer(ask, () => model),
    setGallery(next) {
      entries = next;
      if (running) tell({ type: 'gallery', entries });
    },
    setRules(next) {
      rules = next;
      if (running) tell({ type: 'rules', rules });
    },
    send(order) {
      if (order.type === 'frame') work.addFrame(order.cameraId);
      tell(order);
    },
    stop() {
      running = false;
      void supervisor.stop();
      work.giveUp();
    },
  };
}

function childOptionsOf({ logLevel, modelsDir, limits }: FacesOptions): ChildOptions {
  return {
    program,
    env: { LOG_LEVEL: logLevel, VISION_MODELS_DIR: modelsDir, BEAT_MS: String(limits.beatMs) },
    serialization: 'advanced',
    silence: { startMs: START_WITHIN_MS, runMs: limits.hungAfterMs },
  };
}

type Ask = <T>(call: PhotoCall, photo: Photo) => Promise<T>;

function openRecognizer(ask: Ask, modelName: () => string | null): FacesOfPhotos {
  return {
    get model() {
      const model = modelName();
      if (model === null) throw new FacesDownError();
      return model;
    },
    async enrol(photo) {
      const face = await ask<Awaited<ReturnType<Recognizer['enrol']>>>('enrol', photo);
      return { ...face, photo: { ...face.photo, jpeg: asBuffer(face.photo.jpeg) } };
    },
    guide: (photo) => ask('guide', photo),
    findFaces: (photo) => ask('findFaces', photo),
  };
}

type PhotoCall = Extract<FacesOrder, { type: 'photo' }>['call'];

/** Tracks photos and frames in progress. Calls `onHung` when the process finishes none of them for too long. */
function openWork(onHung: () => void) {
  const questions = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const frames = new Set<string>();
  let nextId = 1;
  /** Null while there is no work. */
  let watchdog: Watchdog | null = null;

  function watch(): void {
    if (questions.size === 0 && frames.size === 0) {
      watchdog?.stop();
      watchdog = null;
    } else watchdog ??= startWatchdog(ANSWER_WITHIN_MS, onHung);
  }

  function onDone(): void {
    watchdog?.heard();
    watch();
  }

  return {
    /** Rejects with {@link FacesDownError} when the process ends before it answers. */
    ask<T>(send: (id: number) => void): Promise<T> {
      const id = nextId++;
      return new Promise<T>((resolve, reject) => {
        // The recognizer method of the same name made the value, so its type is known.
        questions.set(id, { resolve: (value) => resolve(value as T), reject });
        watch();
        send(id);
      });
    },
    onAnswer(note: Extract<FacesNote, { type: 'answer' | 'failure' }>): void {
      const question = questions.get(note.id);
      questions.delete(note.id);
      if (note.type === 'answer') question?.resolve(note.value);
      else question?.reject(errorOf(note));
      onDone();
    },
    addFrame(cameraId: string): void {
      frames.add(cameraId);
      watch();
    },
    onFrameDone(cameraId: string): void {
      frames.delete(cameraId);
      onDone();
    },
    /** Rejects all pending photos, because the process ended. */
    giveUp(): void {
      for (const { reject } of questions.values()) reject(new FacesDownError());
      questions.clear();
      frames.clear();
      watch();
    },
  };
}

function errorOf({ failure }: Extract<FacesNote, { type: 'failure' }>): Error {
  if (failure?.name === 'FaceProblemError') return new FaceProblemError(failure.problem);
  if (failure?.name === 'UnreadablePhotoError') return new UnreadablePhotoError();
  return new Error('the faces process failed at a photo');
}
