/** Sends the pictures of a lens to Haris, and comes back by itself. Knows no React and no screen. */
import {
  DEVICE_PICTURE_MAX_BYTES,
  DEVICE_REPLACED,
  DEVICE_STREAM_PATH,
  DEVICE_UNPAIRED,
  encodeDevicePicture,
} from '@haris/contract/live/video';
import { backoffMs, pause } from '../../client/live.ts';
import { firstPace, hasRoom, nextPace, sizeToSend } from './pace.ts';

/** `refused`: the server answers, but the socket cannot be had: something between lets none through. */
export type SenderState = 'connecting' | 'sending' | 'reconnecting' | 'refused' | 'unpaired' | 'replaced';

export interface SenderReport {
  readonly state: SenderState;
  /** Pictures sent since the start, and per second within the last seconds. */
  readonly sent: number;
  readonly perSecond: number;
  /** Of the pictures as they are sent, pixels; null before the first. */
  readonly size: { readonly width: number; readonly height: number } | null;
}

export const nothingSent: SenderReport = { state: 'connecting', sent: 0, perSecond: 0, size: null };

const OPEN_WITHIN_MS = 10_000;
const REPORT_MS = 500;
/** Pictures per second are counted over this time. Milliseconds. */
const COUNTED_MS = 3_000;
/** Tries that failed although the server answers, after which it is said. */
const REFUSALS_SAID = 2;

/** Sends what `video` shows with the token of a paired device until the answered function is called. */
export function startSending(
  video: HTMLVideoElement,
  token: string,
  onReport: (report: SenderReport) => void,
): () => void {
  const stopping = new AbortController();
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { alpha: false });
  let state: SenderState = 'connecting';
  let sent = 0;
  let size: SenderReport['size'] = null;
  let moments: number[] = [];

  function report(): void {
    const now = performance.now();
    moments = moments.filter((moment) => now - moment < COUNTED_MS);
    const perSecond = state === 'sending' ? moments.length / (COUNTED_MS / 1000) : 0;
    if (!stopping.signal.aborted) onReport({ state, sent, perSecond, size });
  }

  function say(next: SenderState): void {
    state = next;
    report();
  }

  /** The picture as it is now; null while the lens shows nothing. */
  async function capture(quality: number): Promise<Uint8Array | null> {
    if (context === null || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0)
      return null;
    size = sizeToSend(video.videoWidth, video.videoHeight);
    if (canvas.width !== size.width) canvas.width = size.width;
    if (canvas.height !== size.height) canvas.height = size.height;
    context.drawImage(video, 0, 0, size.width, size.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
    return blob === null ? null : new Uint8Array(await blob.arrayBuffer());
  }

  /** Sends while the socket is open. */
  async function pump(socket: WebSocket, signal: AbortSignal): Promise<void> {
    let pace = firstPace;
    while (!signal.aborted && socket.readyState === WebSocket.OPEN) {
      const startedAt = performance.now();
      if (hasRoom(socket.bufferedAmount)) {
        const capturedAt = Date.now();
        const jpeg = await capture(pace.quality);
        if (
          jpeg !== null &&
          jpeg.length <= DEVICE_PICTURE_MAX_BYTES &&
          socket.readyState === WebSocket.OPEN
        ) {
          socket.send(encodeDevicePicture(capturedAt, jpeg));
          sent++;
          moments.push(performance.now());
          if (state !== 'sending') say('sending');
        }
      }
      pace = nextPace(pace, socket.bufferedAmount);
      const rest = pace.intervalMs - (performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, rest)));
    }
  }

  /** One socket from its opening to its end. Answers whether it was open, and the code it was closed with. */
  function follow(): Promise<{ wasOpen: boolean; code: number }> {
    const url = new URL(DEVICE_STREAM_PATH, location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return new Promise((resolve) => {
      const socket = new WebSocket(url, ['device', token]);
      const ending = new AbortController();
      let wasOpen = false;
      const timer = setTimeout(() => socket.close(), OPEN_WITHIN_MS);
      const leave = (): void => socket.close();
      stopping.signal.addEventListener('abort', leave);
      socket.onopen = () => {
        wasOpen = true;
        clearTimeout(timer);
        void pump(socket, ending.signal);
      };
      socket.onclose = ({ code }) => {
        clearTimeout(timer);
        stopping.signal.removeEventListener('abort', leave);
        ending.abort();
        resolve({ wasOpen, code });
      };
    });
  }

  async function run(): Promise<void> {
    let refusals = 0;
    for (let attempt = 0; !stopping.signal.aborted; attempt++) {
      const { wasOpen, code } = await follow();
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

/** A browser does not tell why a socket could not be had: this tells a server that refuses from one that is away. */
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
