/**
 * Keeps one live stream open while the page is looked at: the quick one over `WS /api/live`, or, where no socket can be
 * had, the MJPEG that an image element shows. A ticket for each opening. Knows no React and no screen.
 */
import { ticketRoutes } from '@haris/contract/http/tickets';
import { videoRoutes } from '@haris/contract/http/video';
import {
  decodePicture,
  LIVE_PATH,
  type LiveNote,
  liveNoteSchema,
  type PictureHeader,
} from '@haris/contract/live/video';
import { ApiError } from '../client/api-error.ts';
import { call, openStream } from '../client/http.ts';
import { pause } from '../client/live.ts';

export interface StreamTarget {
  readonly kind: 'child' | 'camera';
  readonly id: string;
}

type EndReason = Exclude<Extract<LiveNote, { type: 'end' }>['reason'], 'restart'>;
export type WaitingReason = Extract<LiveNote, { type: 'waiting' }>['reason'] | 'child_outside';

/** What there is to say of the stream beside its pictures. */
export interface StreamView {
  /** `lost`: it is being opened again. `paused`: nobody looks at the page. `ended`: it does not come back. */
  readonly link: 'connecting' | 'open' | 'lost' | 'paused' | 'ended';
  readonly ended: EndReason | null;
  /** Why the subject is not to be seen, as the server says. */
  readonly waiting: WaitingReason | null;
  readonly camera: { readonly id: string; readonly area: string; readonly name: string } | null;
  /** Where an image element shows the stream instead; null while the socket does. */
  readonly imageUrl: string | null;
}

export const noStream: StreamView = {
  link: 'connecting',
  ended: null,
  waiting: null,
  camera: null,
  imageUrl: null,
};

export interface StreamHandlers {
  onView: (view: StreamView) => void;
  /** A picture; the layers live as long as the message. `taken` must be called once for it, drawn or not. */
  onPicture: (header: PictureHeader, layers: readonly Uint8Array<ArrayBuffer>[], taken: () => void) => void;
}

export interface LiveStream {
  /** The image element could not go on: the stream is opened anew. */
  imageFailed: () => void;
  stop: () => void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** A socket on which neither pictures nor words come for this long is taken for dead. Milliseconds. */
const SILENCE_MS = 10_000;
/** The same while the server has said that there is nothing to show. */
const WAITING_SILENCE_MS = 60_000;
/** A socket must be open within this time. Milliseconds. */
const OPEN_WITHIN_MS = 10_000;

/** Milliseconds before try `attempt` (0 first): half a second doubling to 15 s, spread by `random` (0–1) to 75–100 %. */
function pauseMs(attempt: number, random: number): number {
  const full = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10), LONGEST_PAUSE_MS);
  return full * (0.75 + random * 0.25);
}

/** How one opening came to its end. */
type Outcome =
  | { readonly kind: 'ended'; readonly reason: EndReason }
  /** It was open and broke; `shown` whether a picture came. */
  | { readonly kind: 'broken'; readonly shown: boolean }
  /** The socket could not be had at all. */
  | { readonly kind: 'refused' };

function queryOf(target: StreamTarget): { target_id: string } | { camera_id: string } {
  return target.kind === 'child' ? { target_id: target.id } : { camera_id: target.id };
}

async function fetchTicket(target: StreamTarget, signal: AbortSignal): Promise<string> {
  const subject = target.kind === 'child' ? { childId: target.id } : { cameraId: target.id };
  const { ticket } = await call(ticketRoutes.createTicket, { body: { for: 'video', ...subject }, signal });
  return ticket;
}

/** Why the server shows nothing, or null where it would: a browser does not tell why a socket was refused. */
async function findRefusal(target: StreamTarget, signal: AbortSignal): Promise<ApiError | null> {
  const asking = new AbortController();
  try {
    await openStream(videoRoutes.getVideoFeed, {
      query: queryOf(target),
      signal: AbortSignal.any([signal, asking.signal]),
    });
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  } finally {
    asking.abort();
  }
}

/** What a refusal means for the stream; null for one that passes. */
function meaningOf(error: ApiError): { ended: EndReason } | { waiting: WaitingReason } | null {
  switch (error.code) {
    case 'child_outside':
      return { waiting: 'child_outside' };
    case 'no_camera':
      return { waiting: 'no_camera' };
    case 'unauthenticated':
      return { ended: 'signed_out' };
    case 'forbidden':
    case 'not_found':
      return { ended: 'no_right' };
    default:
      return null;
  }
}

/** Somebody looks, or the picture floats above other programs. */
function isLookedAt(): boolean {
  return document.visibilityState === 'visible' || document.pictureInPictureElement != null;
}

/** Calls back when the page is hidden, frozen or left, and when it is looked at again. Answers the way to stop. */
function watchPage(onChange: (isLookedAt: boolean) => void): () => void {
  const options = new AbortController();
  const look = () => onChange(isLookedAt());
  const leave = () => onChange(false);
  const { signal } = options;
  document.addEventListener('visibilitychange', look, { signal });
  document.addEventListener('leavepictureinpicture', look, { signal });
  document.addEventListener('freeze', leave, { signal });
  document.addEventListener('resume', look, { signal });
  addEventListener('pagehide', leave, { signal });
  addEventListener('pageshow', look, { signal });
  return () => options.abort();
}

/** Opens the stream and keeps it open. `ended` is final; everything else comes back by itself. */
export function openLiveStream(target: StreamTarget, handlers: StreamHandlers): LiveStream {
  const stopping = new AbortController();
  let view = noStream;
  let endImage: (() => void) | null = null;
  let sitting = new AbortController();

  function show(change: Partial<StreamView>): void {
    view = { ...view, ...change };
    if (!stopping.signal.aborted) handlers.onView(view);
  }

  /** One socket from its opening to its end. */
  function followSocket(ticket: string, signal: AbortSignal): Promise<Outcome> {
    const url = new URL(LIVE_PATH, location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    url.searchParams.set('ticket', ticket);
    return new Promise((resolve) => {
      const socket = new WebSocket(url);
      socket.binaryType = 'arraybuffer';
      let isOpen = false;
      let shown = false;
      let ended: EndReason | null = null;
      let timer = setTimeout(finish, OPEN_WITHIN_MS);

      function finish(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
        socket.close();
        if (ended !== null) resolve({ kind: 'ended', reason: ended });
        else resolve(isOpen ? { kind: 'broken', shown } : { kind: 'refused' });
      }

      function waitForMore(): void {
        clearTimeout(timer);
        timer = setTimeout(finish, view.waiting === null ? SILENCE_MS : WAITING_SILENCE_MS);
      }

      function takeNote(note: LiveNote): void {
        if (note.type === 'camera') {
          show({ camera: { id: note.cameraId, area: note.area, name: note.name }, waiting: null });
        } else if (note.type === 'waiting') show({ waiting: note.reason });
        else {
          if (note.reason !== 'restart') ended = note.reason;
          finish();
        }
      }

      function takePicture(message: ArrayBuffer): void {
        const { header, layers } = decodePicture(new Uint8Array(message));
        shown = true;
        handlers.onPicture(header, layers as Uint8Array<ArrayBuffer>[], () => {
          if (socket.readyState !== WebSocket.OPEN) return;
          socket.send(JSON.stringify({ type: 'taken', seq: header.seq }));
        });
      }

      socket.onopen = () => {
        isOpen = true;
        show({ link: 'open', waiting: null, imageUrl: null });
        waitForMore();
      };
      socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
        try {
          if (typeof data === 'string') takeNote(liveNoteSchema.parse(JSON.parse(data)));
          else takePicture(data);
        } catch {
          // Not of this contract: another version of the server answers, perhaps. Open it again.
          finish();
        }
        if (socket.onmessage !== null) waitForMore();
      };
      socket.onclose = finish;
      socket.onerror = () => {};
      signal.addEventListener('abort', finish);
      if (signal.aborted) finish();
    });
  }

  /** The MJPEG in an image element, until it fails. */
  async function followImage(signal: AbortSignal): Promise<Outcome> {
    const ticket = await fetchTicket(target, signal);
    const query = new URLSearchParams({ ...queryOf(target), ticket });
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const end = () => resolve({ kind: 'broken', shown: true });
    endImage = end;
    signal.addEventListener('abort', end);
    show({
      link: 'open',
      waiting: null,
      camera: null,
      imageUrl: `${videoRoutes.getVideoFeed.path}?${query}`,
    });
    const outcome = await promise;
    signal.removeEventListener('abort', end);
    endImage = null;
    return outcome;
  }

  async function followOnce(signal: AbortSignal): Promise<Outcome> {
    const outcome = await followSocket(await fetchTicket(target, signal), signal);
    if (outcome.kind !== 'refused' || signal.aborted) return outcome;
    const refusal = await findRefusal(target, signal);
    if (refusal !== null) throw refusal;
    // The picture is there, only the socket is not: a proxy between, or a browser that has none.
    return followImage(signal);
  }

  /** Opens again and again until the page is hidden or the stream has ended. Answers why it ended. */
  async function sit(signal: AbortSignal): Promise<EndReason | null> {
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        const outcome = await followOnce(signal);
        if (outcome.kind === 'ended') return outcome.reason;
        if (outcome.kind === 'broken' && outcome.shown) attempt = 0;
        if (!signal.aborted) show({ link: 'lost', imageUrl: null });
      } catch (error) {
        if (signal.aborted) return null;
        const meaning = error instanceof ApiError ? meaningOf(error) : null;
        if (meaning !== null && 'ended' in meaning) return meaning.ended;
        if (meaning === null) show({ link: 'lost', imageUrl: null });
        else show({ link: 'open', waiting: meaning.waiting, imageUrl: null });
      }
      await pause(pauseMs(attempt, Math.random()), signal);
    }
    return null;
  }

  async function startSitting(): Promise<void> {
    sitting = new AbortController();
    const mine = sitting.signal;
    show({ link: 'connecting', ended: null });
    const ended = await sit(mine);
    if (ended === null || mine.aborted) return;
    stop();
    view = { ...view, link: 'ended', ended, waiting: null, imageUrl: null };
    handlers.onView(view);
  }

  const stopWatching = watchPage((isSeen) => {
    const isPaused = sitting.signal.aborted;
    if (isSeen && isPaused) void startSitting();
    if (isSeen || isPaused) return;
    sitting.abort();
    show({ link: 'paused', imageUrl: null });
  });

  function stop(): void {
    if (stopping.signal.aborted) return;
    stopping.abort();
    stopWatching();
    sitting.abort();
  }

  if (isLookedAt()) void startSitting();
  else {
    sitting.abort();
    show({ link: 'paused' });
  }
  return { imageFailed: () => endImage?.(), stop };
}
