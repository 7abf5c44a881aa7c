/** The readings' socket (`/ws`): open while somebody on this page looks, comes back by itself. Knows no component. */
import {
  READINGS_NOT_YOURS,
  READINGS_PATH,
  type ReadingMessage,
  readingsSocketSchema,
} from '@haris/contract/live/readings';
import { backoffMs } from '../../client/live.ts';
import { getTokenState, subscribeToken } from '../../client/token-store.ts';

export interface Readings {
  /** False until the first connection and while there is none: what is shown may be older than it should. */
  readonly isOpen: boolean;
  /** True once the server has told what it knows. */
  readonly isKnown: boolean;
  /** The latest of each sensor, by its id. */
  readonly sensors: ReadonlyMap<string, ReadingMessage>;
}

const NOTHING: Readings = { isOpen: false, isKnown: false, sensors: new Map() };
/** After an opening the server tells all it knows at once; nothing by then means that there is nothing. Milliseconds. */
const KNOWN_AFTER_MS = 400;
/** A screen that gives way to another looks away for a moment only. Milliseconds. */
const CLOSE_AFTER_MS = 2_000;

let readings = NOTHING;
let socket: WebSocket | null = null;
let attempt = 0;
let retryTimer: ReturnType<typeof setTimeout> | undefined;
let closeTimer: ReturnType<typeof setTimeout> | undefined;
let stopToken: (() => void) | null = null;
const listeners = new Set<() => void>();

function change(next: Partial<Readings>): void {
  readings = { ...readings, ...next };
  for (const listener of listeners) listener();
}

function take(text: unknown): void {
  let message: ReturnType<typeof readingsSocketSchema.safeParse>;
  try {
    message = readingsSocketSchema.safeParse(JSON.parse(String(text)));
  } catch {
    return;
  }
  // A newer server may say what this page does not know.
  if (!message.success) return;
  const sensors = new Map(readings.sensors);
  if ('gone' in message.data) sensors.delete(message.data.sensorId);
  else sensors.set(message.data.sensorId, message.data);
  change({ sensors, isKnown: true });
}

function open(): void {
  clearTimeout(retryTimer);
  const { token } = getTokenState();
  if (token === null || socket !== null) return;
  const url = new URL(READINGS_PATH, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  // The token stands in a header, never in an address that is logged.
  const mine = new WebSocket(url, ['bearer', token]);
  socket = mine;
  let knownTimer: ReturnType<typeof setTimeout> | undefined;
  mine.onopen = () => {
    attempt = 0;
    change({ isOpen: true });
    knownTimer = setTimeout(() => change({ isKnown: true }), KNOWN_AFTER_MS);
  };
  mine.onmessage = ({ data }) => {
    if (socket === mine) take(data);
  };
  mine.onclose = ({ code }) => {
    clearTimeout(knownTimer);
    if (socket !== mine) return;
    socket = null;
    change({ isOpen: false });
    // Another try would be refused: it takes another token, or somebody who comes back to this page.
    if (code !== READINGS_NOT_YOURS && listeners.size > 0)
      retryTimer = setTimeout(open, backoffMs(attempt++, Math.random()));
  };
}

function shut(): void {
  clearTimeout(retryTimer);
  const mine = socket;
  socket = null;
  mine?.close();
}

/** Another session sees nothing of the one before. */
function restart(): void {
  shut();
  readings = NOTHING;
  change({});
  attempt = 0;
  if (listeners.size > 0) open();
}

function stop(): void {
  stopToken?.();
  stopToken = null;
  shut();
  readings = NOTHING;
}

/** For `useSyncExternalStore`: the first listener opens the socket, and it is closed soon after the last one. */
export function subscribeReadings(listener: () => void): () => void {
  clearTimeout(closeTimer);
  listeners.add(listener);
  stopToken ??= subscribeToken(restart);
  open();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) closeTimer = setTimeout(stop, CLOSE_AFTER_MS);
  };
}

/** The same object until something changes. */
export function getReadings(): Readings {
  return readings;
}

/** A page that wakes up does not wait for its turn. */
if (typeof addEventListener === 'function') {
  const wake = () => {
    if (listeners.size > 0 && document.visibilityState === 'visible') open();
  };
  addEventListener('online', wake);
  document.addEventListener('visibilitychange', wake);
}
