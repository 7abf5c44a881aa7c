/**
 * Opens a live stream once: over `WS /api/live`, or as MJPEG in an image element if sockets are blocked. Fetches a
 * ticket for each connection.
 */
import { ticketRoutes } from '@haris/contract/http/tickets';
import { videoRoutes } from '@haris/contract/http/video';
import { ApiError } from '../calls/api-error.ts';
import { call, openStream } from '../calls/http.ts';
import { followSocket, type Outcome } from './live-socket.ts';
import type { EndReason, StreamHandlers, StreamTarget, StreamView, WaitingReason } from './stream-view.ts';

export interface LiveSource {
  /** Runs one connection until it ends. Throws `ApiError` if the server refuses the ticket or the stream. */
  follow: (signal: AbortSignal) => Promise<Outcome>;
  /** Ends the connection after the image element failed. */
  imageFailed: () => void;
}

function queryOf(target: StreamTarget): { target_id: string } | { camera_id: string } {
  return target.kind === 'child' ? { target_id: target.id } : { camera_id: target.id };
}

async function fetchTicket(target: StreamTarget, signal: AbortSignal): Promise<string> {
  const subject = target.kind === 'child' ? { childId: target.id } : { cameraId: target.id };
  const { ticket } = await call(ticketRoutes.createTicket, { body: { for: 'video', ...subject }, signal });
  return ticket;
}

/**
 * Finds the server's reason for a refused socket, because browsers do not report it; null if the server would stream.
 */
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

/** Effect of a refusal on the stream; null for a temporary one. */
export function meaningOf(error: unknown): { ended: EndReason } | { waiting: WaitingReason } | null {
  switch (error instanceof ApiError ? error.code : null) {
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

/** Calls `show` with each change of the stream's view. */
export function createSource(
  target: StreamTarget,
  show: (change: Partial<StreamView>) => void,
  onPicture: StreamHandlers['onPicture'],
): LiveSource {
  let endImage: (() => void) | null = null;
  const socketHandlers = {
    onOpen: () => show({ link: 'open', waiting: null, imageUrl: null }),
    onNote: show,
    onPicture,
  };

  /** Shows MJPEG in an image element until it fails. */
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

  return {
    async follow(signal) {
      const outcome = await followSocket(await fetchTicket(target, signal), socketHandlers, signal);
      if (outcome.kind !== 'refused' || signal.aborted) return outcome;
      const refusal = await findRefusal(target, signal);
      if (refusal !== null) throw refusal;
      // The server would stream, so something else blocks the socket: a proxy, or a browser without sockets.
      return followImage(signal);
    },
    imageFailed: () => endImage?.(),
  };
}
