/**
 * The hub's side of a camera: one process per connection, restarted with a back-off while the camera is switched on. Every
 * failure leads to a new attempt, and none affects other cameras.
 */
import { join } from 'node:path';
import type { CameraReport, CameraTask } from '@haris/contract/vision-live';
import { type Backoff, createBackoff } from '@haris/runtime/backoff';
import { superviseChild } from '@haris/runtime/child';
import type { Logger } from '@haris/runtime/log';
import { type ConnectionReport, openConnectionReport, openReporter, type Reporter } from './camera-report.ts';
import type { Limits } from './limits.ts';
import {
  type CameraNote,
  type CameraOrder,
  cameraNoteSchema,
  type PicturesNote,
  type Subscription,
} from './messages.ts';
import { openZoneGate, type ZoneGate } from './zone-gate.ts';

export interface CameraEvents {
  onReport(report: CameraReport): void;
  /** A frame to search for faces; reply with the orders `analysed` and `next`. */
  onFrame(note: Extract<CameraNote, { type: 'frame' }>): void;
  onPictures(note: PicturesNote): void;
  /** The process has ended; its frames and pictures no longer need a reply. */
  onEnded(): void;
}

export interface CameraProcess {
  readonly task: CameraTask;
  /** Process id while it runs. */
  readonly pid: number | undefined;
  /** Reconnects if the kind, the URL or `enabled` changed; otherwise only applies the zones. */
  setTask(task: CameraTask): void;
  /** Resolves when every picture that follows has the zones of the task, or when there is no process to make one. */
  covered(): Promise<void>;
  setSubscriptions(subscriptions: readonly Subscription[]): void;
  setRecognition(up: boolean): void;
  /** Passes on a device's JPEG; it replaces a JPEG that is still waiting. */
  push(jpeg: Uint8Array, capturedAt: number): void;
  tell(order: Extract<CameraOrder, { type: 'analysed' | 'next' | 'taken' }>): void;
  stop(): void;
}

export interface CameraOptions {
  readonly logLevel: string;
  readonly log: Logger;
  readonly limits: Limits;
}

/** Time for a process to send its first message. Long, because many cameras may start at once. Milliseconds. */
const START_WITHIN_MS = 60_000;
const LONGEST_PAUSE_MS = 60_000;
/** After this uptime with frames the restart back-off starts anew. */
const WELL_AFTER_MS = 30_000;

const program = join(import.meta.dirname, '../camera-main.ts');

export function startCameraProcess(
  first: CameraTask,
  options: CameraOptions,
  events: CameraEvents,
): CameraProcess {
  const reporter = openReporter(first.id, options.limits.frozenAfterMs, events.onReport);
  let task = first;
  let subscriptions: readonly Subscription[] = [];
  let recognition = false;
  let connection: Connection | null = null;

  function begin(): void {
    if (!task.enabled) {
      reporter.set({ state: 'off', problem: null, fps: null });
      return;
    }
    reporter.set({ state: 'connecting', problem: null });
    const firstOrders = (): CameraOrder[] => [
      { type: 'task', task },
      { type: 'recognition', up: recognition },
      { type: 'subscriptions', subscriptions },
    ];
    connection = connect(task.id, firstOrders, reporter, options, events);
  }

  function end(): void {
    connection?.end();
    connection = null;
    events.onEnded();
  }

  begin();
  return {
    get task() {
      return task;
    },
    get pid() {
      return connection?.pid;
    },
    setTask(next) {
      const sameConnection =
        next.kind === task.kind && next.url === task.url && next.enabled === task.enabled;
      task = next;
      if (sameConnection) {
        connection?.setZones(next.zones);
        return;
      }
      end();
      begin();
    },
    covered: async () => connection?.covered(),
    setSubscriptions(next) {
      subscriptions = next;
      connection?.tell({ type: 'subscriptions', subscriptions });
    },
    setRecognition(up) {
      recognition = up;
      connection?.tell({ type: 'recognition', up });
    },
    push(jpeg, capturedAt) {
      if (task.kind === 'browser') connection?.push(jpeg, capturedAt);
    },
    tell: (order) => connection?.tell(order),
    stop() {
      reporter.stop();
      end();
    },
  };
}

interface Connection {
  readonly pid: number | undefined;
  tell(order: CameraOrder): void;
  /** Until the process has set them, what it made before is dropped. */
  setZones(zones: CameraTask['zones']): void;
  covered(): Promise<void>;
  push(jpeg: Uint8Array, capturedAt: number): void;
  /** Ends the connection for good, without an event. */
  end(): void;
}

/** What the notes of a camera's process act on. */
interface NoteParts {
  readonly backoff: Backoff;
  readonly report: ConnectionReport;
  readonly zones: ZoneGate;
  readonly jpegs: ReturnType<typeof openJpegSlot>;
  readonly events: CameraEvents;
  readonly tell: (order: CameraOrder) => void;
}

/** Passes a note on. Frames and pictures that may lack the newest zones are dropped, and the next are asked for. */
function takeNote(note: CameraNote, { backoff, report, zones, jpegs, events, tell }: NoteParts): void {
  switch (note.type) {
    case 'problem':
      report.onProblem(note.problem);
      break;
    case 'status':
      backoff.works();
      report.onLive(note);
      break;
    case 'frame':
      if (zones.isOpen()) events.onFrame(note);
      else tell({ type: 'next', seq: note.seq });
      break;
    case 'pictures':
      if (zones.isOpen()) events.onPictures(note);
      else for (const { subscription } of note.pictures) tell({ type: 'taken', subscription });
      break;
    case 'zonesSet':
      zones.onSet();
      break;
    case 'jpegTaken':
      jpegs.onTaken();
      break;
  }
}

/** Starts the camera's process and restarts it each time it ends. */
function connect(
  camera: string,
  firstOrders: () => readonly CameraOrder[],
  reporter: Reporter,
  { log, logLevel, limits }: CameraOptions,
  events: CameraEvents,
): Connection {
  const backoff = createBackoff({
    firstMs: limits.cameraPauseMs,
    longestMs: LONGEST_PAUSE_MS,
    resetAfterMs: WELL_AFTER_MS,
  });
  const jpegs = openJpegSlot((order) => supervisor.child?.send(order));
  const zones = openZoneGate();
  const tell = (order: CameraOrder): void => supervisor.child?.send(order);
  const report = openConnectionReport(reporter);
  const parts: NoteParts = { backoff, report, zones, jpegs, events, tell };
  let isReady = false;

  const supervisor = superviseChild(
    {
      program,
      env: { LOG_LEVEL: logLevel, BEAT_MS: String(limits.beatMs) },
      serialization: 'advanced',
      silence: { startMs: START_WITHIN_MS, runMs: limits.hungAfterMs },
      backoff,
    },
    {
      onStart(child) {
        isReady = false;
        jpegs.onStart();
        // Its first order has the newest zones.
        zones.reset();
        report.onStart();
        for (const order of firstOrders()) child.send(order);
      },
      onMessage(message, child) {
        const note = cameraNoteSchema.safeParse(message);
        if (!note.success) {
          log.error({ camera }, 'a camera process sent an unknown message');
          child.kill();
          return;
        }
        if (!isReady) child.ready();
        isReady = true;
        takeNote(note.data, parts);
      },
      onSilent() {
        report.onProblem('hung');
      },
      onEnd({ code, signal }, againInMs) {
        zones.reset();
        events.onEnded();
        log.warn({ camera, problem: report.problem, code, signal, againInMs }, 'a camera ended');
        report.onEnd();
      },
    },
  );
  return {
    get pid() {
      return supervisor.child?.pid;
    },
    tell,
    setZones(next) {
      if (!supervisor.child) return;
      zones.close();
      tell({ type: 'zones', zones: next });
    },
    covered: zones.opened,
    push(jpeg, capturedAt) {
      if (supervisor.child) jpegs.push(jpeg, capturedAt);
    },
    end() {
      zones.reset();
      void supervisor.stop();
    },
  };
}

/** Sends a device's JPEGs to its process one at a time; only the newest waiting JPEG is kept. */
function openJpegSlot(send: (order: Extract<CameraOrder, { type: 'jpeg' }>) => void) {
  let waiting: { readonly jpeg: Uint8Array; readonly capturedAt: number } | null = null;
  let isReading = false;
  function sendWaiting(): void {
    if (isReading || !waiting) return;
    isReading = true;
    send({ type: 'jpeg', ...waiting });
    waiting = null;
  }
  return {
    push(jpeg: Uint8Array, capturedAt: number): void {
      waiting = { jpeg, capturedAt };
      sendWaiting();
    },
    onTaken(): void {
      isReading = false;
      sendWaiting();
    },
    onStart(): void {
      isReading = false;
    },
  };
}
