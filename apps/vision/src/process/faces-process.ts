/** The faces process as the hub sees it: started, watched and started again; asked about photos and live pictures. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Logger } from '@haris/runtime/log';
import { startWatchdog, type Watchdog } from '@haris/runtime/watchdog';
import { FaceProblemError, type Recognizer } from '../faces/recognizer.ts';
import { type Photo, UnreadablePhotoError } from '../picture/photo.ts';
import type { Roster } from '../recognition/live.ts';
import { asBuffer } from './as-buffer.ts';
import { type FacesNote, type FacesOrder, HUNG_AFTER_MS } from './messages.ts';

/** The process is down or starting: no photo can be looked at now. */
export class FacesDownError extends Error {
  override name = 'FacesDownError';
}

export interface FacesEvents {
  /** The process can be asked again, or not any more. */
  onRunning(running: boolean): void;
  onNote(note: Extract<FacesNote, { type: 'analysed' | 'done' | 'seen' }>): void;
}

/** A recognizer that decodes nothing. */
type FacesOfPhotos = Pick<Recognizer, 'model'> & {
  [Call in Exclude<keyof Recognizer, 'model' | 'normalize'>]: (photo: Photo) => ReturnType<Recognizer[Call]>;
};

export interface FacesProcess {
  /** Resolves when the networks have run for the first time. Rejects if they never do. */
  readonly started: Promise<void>;
  readonly running: boolean;
  /** Process id while it runs. */
  readonly pid: number | undefined;
  /** Asks the process about photos that were read. Its methods throw {@link FacesDownError} beside what a recognizer throws. */
  readonly recognizer: FacesOfPhotos;
  /** Whom the process may name; kept for one that is started again. Null forgets all. */
  setRoster(roster: Roster | null): void;
  send(order: Extract<FacesOrder, { type: 'frame' | 'forget' }>): void;
  stop(): void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const WELL_AFTER_MS = 30_000;
/** The networks are read and run once before it is ready. */
const START_WITHIN_MS = 60_000;
/** A request takes some 30 ms; a process that needs this long hangs. Milliseconds. */
const ANSWER_WITHIN_MS = 10_000;

const program = join(import.meta.dirname, '../faces-main.ts');
const nobody: Roster = { threshold: 0, margin: 0, entries: [] };

export function startFacesProcess(
  options: { readonly modelsDir: string; readonly logLevel: string; readonly log: Logger },
  events: FacesEvents,
): FacesProcess {
  const { log } = options;
  const questions = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const waitingFrames = new Set<string>();
  let child: ChildProcess | null = null;
  let running = false;
  let stopping = false;
  let model: string | null = null;
  let roster = nobody;
  let nextId = 1;
  let pauseMs = FIRST_PAUSE_MS;
  let restart: NodeJS.Timeout | undefined;
  /** Watchdog that ends a process which does not answer; null while it has no work. */
  let work: Watchdog | null = null;
  const started = Promise.withResolvers<void>();

  function start(): void {
    const startedAt = Date.now();
    const mine = fork(program, {
      serialization: 'advanced',
      env: { PATH: process.env.PATH, LOG_LEVEL: options.logLevel, VISION_MODELS_DIR: options.modelsDir },
      execArgv: [],
    });
    child = mine;
    const onHung = (): void => {
      log.error({ pid: mine.pid }, 'the faces process hangs');
      mine.kill('SIGKILL');
    };
    let life = startWatchdog(START_WITHIN_MS, onHung);
    mine.on('message', (note: FacesNote) => {
      if (note.type === 'ready') {
        life.stop();
        life = startWatchdog(HUNG_AFTER_MS, onHung);
      }
      life.heard();
      onNote(mine, note);
    });
    let ended = false;
    const onEnd = (code: number | null, signal: string | null): void => {
      if (ended) return;
      ended = true;
      life.stop();
      child = null;
      running = false;
      waitingFrames.clear();
      for (const { reject } of questions.values()) reject(new FacesDownError());
      questions.clear();
      watchWork();
      if (stopping) return;
      if (model === null) started.reject(new FacesDownError());
      events.onRunning(false);
      if (Date.now() - startedAt > WELL_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
      log.warn({ code, signal, againInMs: pauseMs }, 'the faces process ended');
      restart = setTimeout(start, pauseMs);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    };
    mine.on('exit', onEnd);
    mine.on('error', () => onEnd(null, null));
  }

  function onNote(mine: ChildProcess, note: FacesNote): void {
    switch (note.type) {
      case 'ready':
        running = true;
        model = note.model;
        // Asked for by name, so that the process never names anybody before it knows whom.
        tell({ type: 'roster', roster });
        log.info({ pid: mine.pid }, 'the faces process is ready');
        started.resolve();
        events.onRunning(true);
        break;
      case 'answer':
        questions.get(note.id)?.resolve(note.value);
        questions.delete(note.id);
        onDone();
        break;
      case 'failure': {
        const { failure } = note;
        const error =
          failure?.name === 'FaceProblemError'
            ? new FaceProblemError(failure.problem)
            : failure?.name === 'UnreadablePhotoError'
              ? new UnreadablePhotoError()
              : new Error('the faces process failed at a photo');
        questions.get(note.id)?.reject(error);
        questions.delete(note.id);
        onDone();
        break;
      }
      case 'done':
        waitingFrames.delete(note.cameraId);
        onDone();
        events.onNote(note);
        break;
      case 'beat':
        break;
      default:
        events.onNote(note);
    }
  }

  function tell(order: FacesOrder): void {
    if (child?.connected) child.send(order, () => {});
  }

  function watchWork(): void {
    if (questions.size === 0 && waitingFrames.size === 0) {
      work?.stop();
      work = null;
    } else
      work ??= startWatchdog(ANSWER_WITHIN_MS, () => {
        log.error({ pid: child?.pid }, 'the faces process does not do its work');
        child?.kill('SIGKILL');
      });
  }

  function onDone(): void {
    work?.heard();
    watchWork();
  }

  function ask<T>(call: Extract<FacesOrder, { type: 'photo' }>['call'], photo: Photo): Promise<T> {
    if (!running) return Promise.reject(new FacesDownError());
    const id = nextId++;
    return new Promise<T>((resolve, reject) => {
      // What comes back was made by the method of the same name of our own recognizer.
      questions.set(id, { resolve: (value) => resolve(value as T), reject });
      watchWork();
      tell({ type: 'photo', id, call, photo });
    });
  }

  // Whoever does not wait for the start learns of its failure by `running`.
  started.promise.catch(() => {});
  start();
  return {
    started: started.promise,
    get running() {
      return running;
    },
    get pid() {
      return child?.pid;
    },
    recognizer: {
      get model() {
        if (model === null) throw new FacesDownError();
        return model;
      },
      async enrol(photo) {
        const face = await ask<Awaited<ReturnType<Recognizer['enrol']>>>('enrol', photo);
        return { ...face, photo: { ...face.photo, jpeg: asBuffer(face.photo.jpeg) } };
      },
      guide: (photo) => ask('guide', photo),
      findFaces: (photo) => ask('findFaces', photo),
    },
    setRoster(next) {
      roster = next ?? nobody;
      if (running) tell({ type: 'roster', roster });
    },
    send(order) {
      if (order.type === 'frame') {
        waitingFrames.add(order.cameraId);
        watchWork();
      }
      tell(order);
    },
    stop() {
      stopping = true;
      clearTimeout(restart);
      work?.stop();
      child?.kill('SIGKILL');
    },
  };
}
