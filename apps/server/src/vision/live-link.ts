/**
 * The live wire to the face engine: one WebSocket, opened again whenever it breaks, that tells it the whole state of the
 * place and brings pictures, reports and who was seen. Knows no viewer and no account.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeMessage } from '@haris/contract/live/video';
import {
  type CameraReport,
  VISION_LIVE_PATH,
  type VisionCommand,
  type VisionNote,
  type VisionView,
  visionNoteSchema,
} from '@haris/contract/vision-live';
import { describeFailure, type Logger } from '@haris/runtime/log';
import { WebSocket } from 'ws';
import { headersFor, type VisionAddress } from './address.ts';
import { isAdultSubject } from './adults.ts';
import { findPictureProblem, type LivePicture, parseLivePicture } from './live-picture.ts';
import type { LiveState } from './live-state.ts';

export type SeenNote = Extract<VisionNote, { type: 'seen' }>;

/** What a subscription asks for. */
export interface Watched {
  readonly cameraId: string;
  readonly view: VisionView;
  readonly format: 'jpeg' | 'layers';
  readonly maxFps: number;
}

export interface VisionLink {
  /** Whether the face engine is connected and knows the place. */
  isUp(): boolean;
  /** The newest word on a camera; undefined while the link is down, and for a camera nothing was said of. */
  report(cameraId: string): CameraReport | undefined;
  /** The newest word on each camera. */
  reports(): readonly CameraReport[];
  /** Pictures from now on, also after the link broke and came back, until the answered function is called. */
  watch(watched: Watched, onPicture: (picture: LivePicture) => void): () => void;
  /** Hands on a device's picture; false where it was dropped, because the engine is away or behind. */
  sendDevicePicture(cameraId: string, capturedAt: number, jpeg: Uint8Array): boolean;
  /** Of children, and of faces that stayed unknown; never of adults. */
  onSeen(listener: (note: SeenNote) => void): () => void;
  /** Called when a camera's state changes, and when the link comes or goes. */
  onChange(listener: () => void): () => void;
  /** Reads the state of the place again and tells the engine what is new. */
  refresh(): void;
  stop(): Promise<void>;
}

export interface VisionLinkOptions {
  /** Null while there is no face engine. */
  readonly address: () => VisionAddress | null;
  readonly readState: () => Promise<LiveState>;
  readonly log: Logger;
}

/** While there is no address, or after a connection broke, the next try comes after these. Milliseconds. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** While another server controls the engine, it is asked this often. Milliseconds. */
const TAKEN_PAUSE_MS = 15_000;
/** How long to wait for a clean close. Milliseconds. */
const FAREWELL_WITHIN_MS = 1_000;
const FAREWELL = 1000;
/** What changes without a wake-up (another server) is told within this time. Milliseconds. */
const SWEEP_MS = 5_000;
/** The engine must answer a ping before the next. Milliseconds. */
const PING_MS = 5_000;
/** A live camera is reported every second; one of which nothing was heard for so long is not live. Milliseconds. */
const REPORT_WITHIN_MS = 6_000;
/** A picture of 4K is below 4 MB. Bytes. */
const MESSAGE_LIMIT = 16 * 1024 * 1024;
/** Devices' pictures are dropped while more than this waits for the engine. Bytes. */
const DEVICE_BACKLOG = 4 * 1024 * 1024;

interface Subscription extends Watched {
  readonly number: number;
  readonly onPicture: (picture: LivePicture) => void;
}

/** Starts at once. */
export function openVisionLink({ address, readState, log }: VisionLinkOptions): VisionLink {
  const subscriptions = new Map<number, Subscription>();
  const reports = new Map<string, { readonly report: CameraReport; readonly heardAt: number }>();
  const seenListeners = new Set<(note: SeenNote) => void>();
  const changeListeners = new Set<() => void>();
  let socket: WebSocket | null = null;
  let up = false;
  let stopped = false;
  let numbers = 0;
  let pauseMs = FIRST_PAUSE_MS;
  let retry: NodeJS.Timeout | undefined;
  /** What the connected engine was told last. */
  let told = { cameras: '', roster: '' };
  let telling: Promise<void> = Promise.resolve();
  let tellingAgain = false;

  const changed = (): void => {
    for (const listener of changeListeners) listener();
  };
  const send = (command: VisionCommand): void => socket?.send(JSON.stringify(command));
  const subscribe = ({ number, cameraId, view, format, maxFps }: Subscription): void =>
    send({ type: 'subscribe', subscription: number, cameraId, view, format, maxFps });

  /** Tells the engine what it does not know yet; the first time that makes the link up. */
  async function tell(mine: WebSocket): Promise<void> {
    const { cameras, roster } = await readState();
    if (socket !== mine || mine.readyState !== WebSocket.OPEN) return;
    const whole = JSON.stringify(cameras);
    if (whole !== told.cameras) send({ type: 'cameras', cameras });
    const { revision, threshold, margin, entries } = roster;
    // The encodings are those of the revision.
    const key = JSON.stringify([
      revision,
      threshold,
      margin,
      entries.map((one) => [one.subjectId, one.inside]),
    ]);
    if (key !== told.roster) send(roster);
    told = { cameras: whole, roster: key };
    for (const id of reports.keys()) if (!cameras.some((camera) => camera.id === id)) reports.delete(id);
    if (up) return;
    up = true;
    pauseMs = FIRST_PAUSE_MS;
    for (const subscription of subscriptions.values()) subscribe(subscription);
    changed();
  }

  /** One telling at a time; however many changes come while one is at work, one more follows. */
  function refresh(): void {
    if (tellingAgain || stopped) return;
    tellingAgain = true;
    telling = telling.then(async () => {
      tellingAgain = false;
      const mine = socket;
      if (!mine || mine.readyState !== WebSocket.OPEN) return;
      try {
        await tell(mine);
      } catch (error) {
        log.warn(describeFailure(error), 'the face engine could not be told the state of the place');
        // It would go on with what was true before: it forgets all when the socket closes, and starts anew.
        mine.terminate();
      }
    });
  }

  function take(message: Buffer, isBinary: boolean): void {
    if (isBinary) {
      const picture = parseLivePicture(message);
      const subscription = subscriptions.get(picture.subscription);
      // It may have ended while this was under way.
      if (!subscription) return;
      const problem = findPictureProblem(picture, subscription.view, subscription.format);
      if (problem) throw new RangeError(problem);
      subscription.onPicture(picture);
      return;
    }
    const note = visionNoteSchema.parse(JSON.parse(message.toString('utf8')));
    if (note.type === 'seen') {
      // Where an adult is nobody is told and nothing is kept: a name in staff's picture is all that they asked for.
      if (note.subjectId !== null && isAdultSubject(note.subjectId)) return;
      for (const listener of seenListeners) listener(note);
      return;
    }
    const { report } = note;
    const before = reports.get(report.cameraId)?.report;
    reports.set(report.cameraId, { report, heardAt: performance.now() });
    if (before?.state !== report.state) changed();
  }

  function connect(): void {
    if (stopped) return;
    const target = address();
    if (!target) {
      retry = setTimeout(connect, FIRST_PAUSE_MS);
      retry.unref();
      return;
    }
    const mine = new WebSocket(target.url.replace(/^http/, 'ws') + VISION_LIVE_PATH, {
      headers: headersFor(target),
      ...(target.ca !== null && { ca: target.ca }),
      perMessageDeflate: false,
      maxPayload: MESSAGE_LIMIT,
      handshakeTimeout: PING_MS,
    });
    socket = mine;
    let answered = true;
    const pings = setInterval(() => {
      if (!answered) return mine.terminate();
      answered = false;
      if (mine.readyState === WebSocket.OPEN) mine.ping();
    }, PING_MS);
    pings.unref();
    mine.on('pong', () => {
      answered = true;
    });
    mine.on('open', () => {
      told = { cameras: '', roster: '' };
      refresh();
    });
    mine.on('message', (data, isBinary) => {
      try {
        take(data as Buffer, isBinary);
      } catch (error) {
        log.warn(describeFailure(error), 'the face engine sent something that is not as agreed');
      }
    });
    let taken = false;
    mine.on('unexpected-response', (_request, { statusCode }) => {
      taken = statusCode === 409;
      mine.terminate();
    });
    mine.on('error', () => {});
    mine.on('close', () => {
      clearInterval(pings);
      if (socket !== mine) return;
      socket = null;
      const was = up;
      up = false;
      reports.clear();
      if (was) changed();
      if (stopped) return;
      if (taken) {
        // The other server keeps the engine while it runs; two servers would keep disconnecting each other.
        log.error({ againInMs: TAKEN_PAUSE_MS }, 'another server controls the face engine');
        pauseMs = TAKEN_PAUSE_MS;
      } else if (was) log.warn({ againInMs: pauseMs }, 'the live wire to the face engine broke');
      retry = setTimeout(connect, pauseMs);
      retry.unref();
      pauseMs = taken ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    });
  }
  connect();
  const sweep = setInterval(refresh, SWEEP_MS);
  sweep.unref();

  function reportOf(cameraId: string): CameraReport | undefined {
    const last = reports.get(cameraId);
    if (!last) return undefined;
    const { report, heardAt } = last;
    const isOld = report.state === 'live' && performance.now() - heardAt > REPORT_WITHIN_MS;
    return isOld ? { ...report, state: 'stalled', problem: 'frozen', fps: null } : report;
  }

  return {
    isUp: () => up,
    report: reportOf,
    reports: () => [...reports.keys()].flatMap((id) => reportOf(id) ?? []),
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
    refresh,
    async stop() {
      stopped = true;
      clearTimeout(retry);
      clearInterval(sweep);
      const mine = socket;
      if (mine?.readyState === WebSocket.OPEN) {
        const gone = once(mine, 'close');
        mine.close(FAREWELL);
        await Promise.race([gone, sleep(FAREWELL_WITHIN_MS, undefined, { ref: false })]);
      }
      mine?.terminate();
      await telling;
    },
  };
}
