/**
 * Store of the readings socket (`/ws`): open while it has listeners, and reconnects automatically. Independent of
 * React.
 */
import {
  READINGS_NOT_YOURS,
  READINGS_PATH,
  type ReadingMessage,
  readingsSocketSchema,
} from '@haris/contract/live/readings';
import { chosenFacility } from '../../calls/facility-choice.ts';
import { getTokenState, subscribeToken } from '../../calls/token-store.ts';
import { backoffMs } from '../../live/live.ts';

export interface Readings {
  /** False while disconnected, when the readings may be outdated. */
  readonly isOpen: boolean;
  /** True once the server has sent its current readings. */
  readonly isKnown: boolean;
  /** The latest reading of each sensor, by sensor id. */
  readonly sensors: ReadonlyMap<string, ReadingMessage>;
}

const NOTHING: Readings = { isOpen: false, isKnown: false, sensors: new Map() };
/** The server sends all readings after the socket opens; none within this time means that none exist. Milliseconds. */
const KNOWN_AFTER_MS = 400;
/** Delay before closing, because a change of screens removes all listeners for a moment. Milliseconds. */
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
  // A newer server may send messages that this page does not know.
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
  const facility = chosenFacility();
  if (facility !== null) url.searchParams.set('facility', facility);
  // The token is in a header, never in an address, because addresses are logged.
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
    // The server refused this account, so it would refuse a retry. A new token or a return to this page connects again.
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

/** Clears the readings of the previous session. */
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

/** For `useSyncExternalStore`: the first listener opens the socket; it closes soon after the last one leaves. */
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

/** The current readings; the same object until something changes. */
export function getReadings(): Readings {
  return readings;
}

/** A page that wakes up reconnects without waiting for the back-off. */
if (typeof addEventListener === 'function') {
  const wake = () => {
    if (listeners.size > 0 && document.visibilityState === 'visible') open();
  };
  addEventListener('online', wake);
  document.addEventListener('visibilitychange', wake);
}
