/** The event stream of `/api/events`: open while somebody is signed in, resumed after the last event. */
import { operationRoutes } from '@haris/contract/http/operations';
import { eventSchema, type HarisEvent, type Status, statusSchema } from '@haris/contract/live/events';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ApiError } from '../calls/api-error.ts';
import { takeEventPosition } from '../calls/event-position.ts';
import { openStream } from '../calls/http.ts';

export type LiveState = 'off' | 'connecting' | 'live' | 'reconnecting';

export interface LiveHandlers {
  onEvent: (event: HarisEvent) => void;
  /** The stream has resumed after an interruption; events may have been missed. */
  onResume: () => void;
  onState: (state: LiveState) => void;
  /** Called with problems that the server reports about itself; with `null` if there are none, and on each new connection. */
  onStatus: (status: Status | null) => void;
}

const BACKOFF_FIRST_MS = 1000;
const BACKOFF_MAX_MS = 30_000;
/** A stream that is silent for longer is treated as dead (after sleep, or dropped by a proxy). Milliseconds. */
const SILENCE_MS = 75_000;

/** Back-off before attempt `attempt` (0 first), in milliseconds: 1 s doubling to 30 s, spread by `random` (0–1) to 75–100 %. */
export function backoffMs(attempt: number, random: number): number {
  const full = Math.min(BACKOFF_FIRST_MS * 2 ** Math.min(attempt, 10), BACKOFF_MAX_MS);
  return Math.max(BACKOFF_FIRST_MS, full * (0.75 + random * 0.25));
}

/** Starts the stream. Returns a function that stops it. */
export function startLive(handlers: LiveHandlers): () => void {
  const stopping = new AbortController();
  void run(handlers, stopping.signal);
  return () => stopping.abort();
}

async function run(handlers: LiveHandlers, stop: AbortSignal): Promise<void> {
  const position: Position = { lastEventId: takeEventPosition(), wasLive: false };
  handlers.onState('connecting');
  for (let attempt = 0; !stop.aborted; attempt++) {
    const openedAt = performance.now();
    try {
      await follow(handlers, position, stop);
    } catch (error) {
      // 401 and 403 are handled by the session; a retry would be refused as well.
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) break;
    }
    if (stop.aborted) break;
    handlers.onState('reconnecting');
    if (performance.now() - openedAt > SILENCE_MS) attempt = 0;
    await pause(backoffMs(attempt, Math.random()), stop);
  }
  handlers.onState('off');
}

/** Position at which a stream resumes after an interruption. */
interface Position {
  /** Empty before the first event. */
  lastEventId: string;
  wasLive: boolean;
}

/** Runs one connection from opening to end. */
async function follow(handlers: LiveHandlers, position: Position, stop: AbortSignal): Promise<void> {
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
    const parser = createParser({
      onId: (id) => {
        position.lastEventId = id;
      },
      onEvent: (message) => take(message, handlers),
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      parser.feed(value);
    }
  } finally {
    clearTimeout(timer);
  }
}

function take({ event, data }: EventSourceMessage, handlers: LiveHandlers): void {
  if (event === 'status') {
    handlers.onStatus(parseStatus(data));
    return;
  }
  const known = parseEvent(data);
  if (known !== null) handlers.onEvent(known);
}

/** Null for an unknown event type: a newer server must not break an open page. */
function parseEvent(data: string): HarisEvent | null {
  try {
    return eventSchema.parse(JSON.parse(data));
  } catch {
    return null;
  }
}

/** Null for a status that this version does not understand. */
function parseStatus(data: string): Status | null {
  try {
    return statusSchema.parse(JSON.parse(data));
  } catch {
    return null;
  }
}

/** Waits; ends early when the network is back, the page becomes visible, or `stop` aborts. */
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
