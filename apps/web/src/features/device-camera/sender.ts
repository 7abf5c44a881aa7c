/** Sends the pictures of a lens to Haris and reconnects automatically. Independent of React. */
import {
  DEVICE_PICTURE_MAX_BYTES,
  DEVICE_REPLACED,
  DEVICE_STREAM_PATH,
  DEVICE_UNPAIRED,
  encodeDevicePicture,
} from '@haris/contract/live/video';
import { backoffMs, pause } from '../../live/live.ts';
import { firstPace, hasRoom, nextPace, sizeToSend } from './pace.ts';

/** `refused`: the server responds to HTTP but every socket fails, so something in between blocks sockets. */
export type SenderState = 'connecting' | 'sending' | 'reconnecting' | 'refused' | 'unpaired' | 'replaced';

export interface SenderReport {
  readonly state: SenderState;
  /** Pictures sent since the start, and per second within the last seconds. */
  readonly sent: number;
  readonly perSecond: number;
  /** Size of the sent pictures in pixels; null before the first. */
  readonly size: { readonly width: number; readonly height: number } | null;
}

export const nothingSent: SenderReport = { state: 'connecting', sent: 0, perSecond: 0, size: null };

const OPEN_WITHIN_MS = 10_000;
const REPORT_MS = 500;
/** Window for counting pictures per second. Milliseconds. */
const COUNTED_MS = 3_000;
/** Failed attempts with a reachable server before the state becomes `refused`. */
const REFUSALS_SAID = 2;

/** Encodes frames of the lens as JPEG. */
function createCapture(video: HTMLVideoElement) {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { alpha: false });
  let size: SenderReport['size'] = null;
  return {
    size: () => size,
    /** The current frame; null while the lens shows nothing. `quality` from 0 to 1. */
    async take(quality: number): Promise<Uint8Array | null> {
      if (context === null || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0)
        return null;
      size = sizeToSend(video.videoWidth, video.videoHeight);
      if (canvas.width !== size.width) canvas.width = size.width;
      if (canvas.height !== size.height) canvas.height = size.height;
      context.drawImage(video, 0, 0, size.width, size.height);
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
      return blob === null ? null : new Uint8Array(await blob.arrayBuffer());
    },
  };
}

/** Counts pictures since the start and per second. */
function createTally() {
  let sent = 0;
  let moments: number[] = [];
  return {
    sent: () => sent,
    add() {
      sent++;
      moments.push(performance.now());
    },
    perSecond(): number {
      const now = performance.now();
      moments = moments.filter((moment) => now - moment < COUNTED_MS);
      return moments.length / (COUNTED_MS / 1000);
    },
  };
}

/** Sends pictures while the socket is open, at the pace that the network allows. */
async function pump(
  socket: WebSocket,
  take: (quality: number) => Promise<Uint8Array | null>,
  onSent: () => void,
  signal: AbortSignal,
): Promise<void> {
  let pace = firstPace;
  while (!signal.aborted && socket.readyState === WebSocket.OPEN) {
    const startedAt = performance.now();
    if (hasRoom(socket.bufferedAmount)) {
      const capturedAt = Date.now();
      const jpeg = await take(pace.quality);
      const fits = jpeg !== null && jpeg.length <= DEVICE_PICTURE_MAX_BYTES;
      if (fits && socket.readyState === WebSocket.OPEN) {
        socket.send(encodeDevicePicture(capturedAt, jpeg));
        onSent();
      }
    }
    pace = nextPace(pace, socket.bufferedAmount);
    const rest = pace.intervalMs - (performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, rest)));
  }
}

interface Ending {
  readonly wasOpen: boolean;
  /** Close code of the socket. */
  readonly code: number;
}

/** One socket from opening to close; `onOpen` gets it with a signal that aborts on close. */
function follow(
  token: string,
  onOpen: (socket: WebSocket, signal: AbortSignal) => void,
  stop: AbortSignal,
): Promise<Ending> {
  const url = new URL(DEVICE_STREAM_PATH, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return new Promise((resolve) => {
    const socket = new WebSocket(url, ['device', token]);
    const ending = new AbortController();
    let wasOpen = false;
    const timer = setTimeout(() => socket.close(), OPEN_WITHIN_MS);
    const leave = (): void => socket.close();
    stop.addEventListener('abort', leave);
    socket.onopen = () => {
      wasOpen = true;
      clearTimeout(timer);
      onOpen(socket, ending.signal);
    };
    socket.onclose = ({ code }) => {
      clearTimeout(timer);
      stop.removeEventListener('abort', leave);
      ending.abort();
      resolve({ wasOpen, code });
    };
  });
}

/** Sends the pictures of `video` with the token of a paired device, until the returned function is called. */
export function startSending(
  video: HTMLVideoElement,
  token: string,
  onReport: (report: SenderReport) => void,
): () => void {
  const stopping = new AbortController();
  const capture = createCapture(video);
  const tally = createTally();
  let state: SenderState = 'connecting';

  function report(): void {
    const perSecond = state === 'sending' ? tally.perSecond() : 0;
    if (!stopping.signal.aborted) onReport({ state, sent: tally.sent(), perSecond, size: capture.size() });
  }
  function say(next: SenderState): void {
    state = next;
    report();
  }
  function onSent(): void {
    tally.add();
    if (state !== 'sending') say('sending');
  }
  const send = (socket: WebSocket, signal: AbortSignal) => void pump(socket, capture.take, onSent, signal);

  async function run(): Promise<void> {
    let refusals = 0;
    for (let attempt = 0; !stopping.signal.aborted; attempt++) {
      const { wasOpen, code } = await follow(token, send, stopping.signal);
      if (stopping.signal.aborted) return;
      if (code === DEVICE_UNPAIRED) return say('unpaired');
      if (code === DEVICE_REPLACED) return say('replaced');
      if (wasOpen) {
        attempt = 0;
        refusals = 0;
      } else if (await isServerUp()) refusals++;
      say(refusals >= REFUSALS_SAID ? 'refused' : 'reconnecting');
      await pause(backoffMs(attempt, Math.random()), stopping.signal);
    }
  }

  const timer = setInterval(report, REPORT_MS);
  stopping.signal.addEventListener('abort', () => clearInterval(timer));
  report();
  void run();
  return () => stopping.abort();
}

/** Browsers do not report why a socket failed, so this distinguishes a blocked socket from an unreachable server. */
async function isServerUp(): Promise<boolean> {
  try {
    const response = await fetch('/healthz', {
      cache: 'no-store',
      signal: AbortSignal.timeout(OPEN_WITHIN_MS),
    });
    return response.ok;
  } catch {
    return false;
  }
}
