/** The stream of `/api/events`: kept open while somebody is signed in, resumed where it broke. Knows no query. */
import { operationRoutes } from '@haris/contract/http/operations';
import { eventSchema, type HarisEvent, type Status, statusSchema } from '@haris/contract/live/events';
import { ApiError } from './api-error.ts';
import { takeEventPosition } from './event-position.ts';
import { openStream } from './http.ts';
import { createSseParser } from './sse.ts';

export type LiveState = 'off' | 'connecting' | 'live' | 'reconnecting';

export interface LiveHandlers {
  onEvent: (event: HarisEvent) => void;
  /** The stream is back after a break: what happened meanwhile may be missing. */
  onResume: () => void;
  onState: (state: LiveState) => void;
  /** What the server says of itself; `null` while nothing is wrong, and after each new connection until it says so. */
  onStatus: (status: Status | null) => void;
}

const BACKOFF_FIRST_MS = 1000;
const BACKOFF_MAX_MS = 30_000;
/** A stream that stays silent for longer is taken for dead (sleep, a proxy that forgot it). */
const SILENCE_MS = 75_000;

/** Milliseconds to wait before try `attempt` (0 first): 1 s doubling to 30 s, spread by `random` (0–1) to 75–100 %. */
export function backoffMs(attempt: number, random: number): number {
  const full = Math.min(BACKOFF_FIRST_MS * 2 ** Math.min(attempt, 10), BACKOFF_MAX_MS);
  return Math.max(BACKOFF_FIRST_MS, full * (0.75 + random * 0.25));
}

/** Starts the stream. Answers the way to stop it. */
export function startLive(handlers: LiveHandlers): () => void {
  const stopping = new AbortController();
  void run(handlers, stopping.signal);
  return () => stopping.abort();
}

async function run(handlers: LiveHandlers, stop: AbortSignal): Promise<void> {
  const position = { lastEventId: takeEventPosition(), wasLive: false };
  handlers.onState('connecting');
  for (let attempt = 0; !stop.aborted; attempt++) {
    const openedAt = performance.now();
    try {
      await follow(handlers, position, stop);
    } catch (error) {
      // 401 and 403: the session's own machinery deals with it; asking again would not help.
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) break;
    }
    if (stop.aborted) break;
    handlers.onState('reconnecting');
    if (performance.now() - openedAt > SILENCE_MS) attempt = 0;
    await pause(backoffMs(attempt, Math.random()), stop);
  }
  handlers.onState('off');
}

/** One connection from its opening to its end. */
async function follow(
  handlers: LiveHandlers,
  position: { lastEventId: string; wasLive: boolean },
  stop: AbortSignal,
): Promise<void> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await openStream(operationRoutes.streamEvents, {
      headers: position.lastEventId === '' ? {} : { 'last-event-id': position.lastEventId },
      signal: AbortSignal.any([stop, silence.signal]),
    });
    if (response.body === null) return;
    handlers.onState('live');
    handlers.onStatus(null);
    if (position.wasLive) handlers.onResume();
    position.wasLive = true;
    const parser = createSseParser();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      for (const { type, data, lastEventId } of parser.push(value)) {
        position.lastEventId = lastEventId;
        if (type === 'status') {
          handlers.onStatus(parseStatus(data));
          continue;
        }
        const event = parseEvent(data);
        if (event !== null) handlers.onEvent(event);
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Null for an event that this version does not know: a newer server must not break an open page. */
function parseEvent(data: string): HarisEvent | null {
  try {
    return eventSchema.parse(JSON.parse(data));
  } catch {
    return null;
  }
}

/** Null for one that this version does not know. */
function parseStatus(data: string): Status | null {
  try {
    return statusSchema.parse(JSON.parse(data));
  } catch {
    return null;
  }
}

/** Waits, but not longer than until the network is back or the page is looked at again. */
export function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = new AbortController();
    const done = () => {
      clearTimeout(timer);
      wake.abort();
      resolve();
    };
    const timer = setTimeout(done, ms);
    const options = { signal: wake.signal };
    addEventListener('online', done, options);
    document.addEventListener(
      'visibilitychange',
      () => document.visibilityState === 'visible' && done(),
      options,
    );
    stop.addEventListener('abort', done, options);
  });
}
