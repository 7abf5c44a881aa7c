/**
 * A camera as the hub sees it: a process per connection, started again with growing pauses for as long as the camera is
 * switched on. Whatever it does ends in another try; no other camera notices.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { CameraReport, CameraTask } from '@haris/contract/vision-live';
import type { Logger } from '@haris/runtime/log';
import { startWatchdog } from '@haris/runtime/watchdog';
import {
  type CameraNote,
  type CameraOrder,
  type CameraProblem,
  cameraNoteSchema,
  HUNG_AFTER_MS,
  type PicturesNote,
  type Subscription,
} from './messages.ts';

export interface CameraEvents {
  onReport(report: CameraReport): void;
  /** A picture to look for faces in; `analysed` and `next` answer it. */
  onFrame(note: Extract<CameraNote, { type: 'frame' }>): void;
  onPictures(note: PicturesNote): void;
  /** The process ended: nothing that it sent is answered any more. */
  onEnded(): void;
}

export interface CameraProcess {
  readonly task: CameraTask;
  /** Process id while it runs. */
  readonly pid: number | undefined;
  /** A task with another kind or address, or one switched off or on, ends the connection; zones are changed at once. */
  setTask(task: CameraTask): void;
  setSubscriptions(subscriptions: readonly Subscription[]): void;
  setRecognition(up: boolean): void;
  /** Newest only: what waits is replaced. */
  push(jpeg: Uint8Array, capturedAt: number): void;
  tell(order: Extract<CameraOrder, { type: 'analysed' | 'next' | 'taken' }>): void;
  stop(): void;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A camera that showed pictures for so long was well: the next pause is the first one again. */
const WELL_AFTER_MS = 30_000;
/** A camera of which no new picture was heard for so long has stalled, whatever it said last. */
const SILENT_MS = 5_000;

const program = join(import.meta.dirname, '../camera-main.ts');

export function startCameraProcess(
  first: CameraTask,
  options: { readonly logLevel: string; readonly log: Logger },
  events: CameraEvents,
): CameraProcess {
  const { log } = options;
  let task = first;
  let child: ChildProcess | null = null;
  let subscriptions: readonly Subscription[] = [];
  let recognition = false;
  let pauseMs = FIRST_PAUSE_MS;
  let restart: NodeJS.Timeout | undefined;
  let waitingJpeg: { jpeg: Uint8Array; capturedAt: number } | null = null;
  let readingJpeg = false;
  /** When its process last said that pictures come, by a clock that does not jump. */
  let pictureHeardAt = 0;
  let report: CameraReport = {
    cameraId: first.id,
    state: 'connecting',
    problem: null,
    fps: null,
    width: null,
    height: null,
    lastFrameAt: null,
    reconnects: 0,
  };

  function setReport(change: Partial<CameraReport>): void {
    report = { ...report, ...change };
    events.onReport(report);
  }

  function tell(order: CameraOrder): void {
    if (child?.connected) child.send(order, () => {});
  }

  function start(): void {
    const mine = fork(program, {
      serialization: 'advanced',
      env: { PATH: process.env.PATH, LOG_LEVEL: options.logLevel },
      execArgv: [],
      // What a decoding library prints may name the address with its password.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child = mine;
    readingJpeg = false;
    let wellSince = 0;
    let problem: CameraProblem | null = null;
    const watchdog = startWatchdog(HUNG_AFTER_MS, () => {
      problem = 'hung';
      mine.kill('SIGKILL');
    });
    mine.on('message', (message: unknown) => {
      if (child !== mine) return;
      watchdog.heard();
      const parsed = cameraNoteSchema.safeParse(message);
      if (!parsed.success) {
        log.error({ camera: task.id }, 'a camera process said something else');
        mine.kill('SIGKILL');
        return;
      }
      const note = parsed.data;
      switch (note.type) {
        case 'problem':
          ({ problem } = note);
          break;
        case 'status': {
          wellSince ||= Date.now();
          if (Date.now() - wellSince > WELL_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
          const { fps, width, height, lastFrameAt } = note;
          pictureHeardAt = performance.now();
          setReport({ state: 'live', problem: null, fps, width, height, lastFrameAt });
          break;
        }
        case 'frame':
          events.onFrame(note);
          break;
        case 'pictures':
          events.onPictures(note);
          break;
        case 'jpegTaken':
          readingJpeg = false;
          pushWaiting();
          break;
      }
    });
    let ended = false;
    const onEnd = (code: number | null, signal: string | null): void => {
      if (ended) return;
      ended = true;
      watchdog.stop();
      if (child !== mine) return;
      child = null;
      events.onEnded();
      log.warn({ camera: task.id, problem, code, signal, againInMs: pauseMs }, 'a camera ended');
      setReport({ state: 'stalled', problem: problem ?? 'no_picture', fps: null });
      restart = setTimeout(() => {
        setReport({ state: 'connecting', reconnects: report.reconnects + 1 });
        start();
      }, pauseMs);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    };
    mine.on('exit', onEnd);
    mine.on('error', () => onEnd(null, null));
    tell({ type: 'task', task });
    tell({ type: 'recognition', up: recognition });
    tell({ type: 'subscriptions', subscriptions });
  }

  function end(): void {
    clearTimeout(restart);
    const mine = child;
    child = null;
    waitingJpeg = null;
    mine?.kill('SIGKILL');
    events.onEnded();
  }

  function begin(): void {
    pauseMs = FIRST_PAUSE_MS;
    if (!task.enabled) {
      setReport({ state: 'off', problem: null, fps: null });
      return;
    }
    setReport({ state: 'connecting', problem: null });
    start();
  }

  function pushWaiting(): void {
    if (readingJpeg || !waitingJpeg || !child) return;
    readingJpeg = true;
    tell({ type: 'jpeg', ...waitingJpeg });
    waitingJpeg = null;
  }

  const silence = setInterval(() => {
    if (report.state === 'live' && performance.now() - pictureHeardAt > SILENT_MS)
      setReport({ state: 'stalled', problem: 'frozen', fps: null });
  }, 1_000);

  begin();
  return {
    get task() {
      return task;
    },
    get pid() {
      return child?.pid;
    },
    setTask(next) {
      const sameConnection =
        next.kind === task.kind && next.url === task.url && next.enabled === task.enabled;
      task = next;
      if (sameConnection) {
        tell({ type: 'zones', zones: next.zones });
        return;
      }
      end();
      begin();
    },
    setSubscriptions(next) {
      subscriptions = next;
      tell({ type: 'subscriptions', subscriptions });
    },
    setRecognition(up) {
      recognition = up;
      tell({ type: 'recognition', up });
    },
    push(jpeg, capturedAt) {
      if (task.kind !== 'browser' || !child) return;
      waitingJpeg = { jpeg, capturedAt };
      pushWaiting();
    },
    tell,
    stop() {
      clearInterval(silence);
      end();
    },
  };
}
