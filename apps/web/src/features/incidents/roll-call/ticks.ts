/**
 * Queue of this device's ticks that the server has not confirmed: stored in local storage, so that a lost connection or
 * a reload loses none. Ticks contain ids and times, but no names. Makes no calls.
 */
import * as z from 'zod/mini';
import { randomUuid } from '../../../calls/random-uuid.ts';

const tickSchema = z.object({
  /** Exactly one of the two. */
  childId: z.optional(z.string()),
  personId: z.optional(z.string()),
  state: z.enum(['present', 'missing', 'away']),
  /** ISO 8601, by the page's estimate of the server's clock. */
  at: z.string(),
});
const queueSchema = z.array(tickSchema);
export type Tick = z.infer<typeof tickSchema>;
export type TickState = Tick['state'];

/** Id of whom a tick concerns. */
function subjectOf({ childId, personId }: Pick<Tick, 'childId' | 'personId'>): string {
  return childId ?? personId ?? '';
}

const PREFIX = 'haris.rollCall.';
const DEVICE_KEY = 'haris.device';

const keyOf = (evacuationId: string) => PREFIX + evacuationId;

/** Unconfirmed ticks, oldest first; empty if the storage is unreadable. */
export function readQueue(storage: Storage, evacuationId: string): readonly Tick[] {
  try {
    return queueSchema.parse(JSON.parse(storage.getItem(keyOf(evacuationId)) ?? '[]'));
  } catch {
    return [];
  }
}

/** Saves the queue. On a device without storage the ticks last until the page closes. */
function writeQueue(storage: Storage, evacuationId: string, queue: readonly Tick[]): void {
  try {
    if (queue.length === 0) storage.removeItem(keyOf(evacuationId));
    else storage.setItem(keyOf(evacuationId), JSON.stringify(queue));
  } catch {
    // Storage is full or blocked; the caller still has the queue in memory.
  }
}

export function addTick(storage: Storage, evacuationId: string, queue: readonly Tick[], tick: Tick): Tick[] {
  const next = [...queue, tick];
  writeQueue(storage, evacuationId, next);
  return next;
}

/** Removes confirmed ticks from the queue; newer ticks stay. */
export function dropSent(
  storage: Storage,
  evacuationId: string,
  queue: readonly Tick[],
  sent: readonly Tick[],
): readonly Tick[] {
  const keyOfTick = (tick: Tick) => `${subjectOf(tick)} ${tick.at}`;
  const gone = new Set(sent.map(keyOfTick));
  const next = queue.filter((tick) => !gone.has(keyOfTick(tick)));
  writeQueue(storage, evacuationId, next);
  return next;
}

/** Ids of evacuations with unconfirmed ticks, including those that have ended. */
export function queuedEvacuations(storage: Storage): string[] {
  return Object.keys(storage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => key.slice(PREFIX.length));
}

/** The newest tick of a person, from the server or from this device's queue. */
export function newestTick<T extends { state: TickState; at: string }>(
  subjectId: string,
  told: T | null,
  queue: readonly Tick[],
): T | Tick | null {
  let newest: T | Tick | null = told;
  for (const tick of queue) {
    if (subjectOf(tick) !== subjectId) continue;
    if (newest === null || Date.parse(tick.at) >= Date.parse(newest.at)) newest = tick;
  }
  return newest;
}

/** Persistent name of this browser, so that the record shows which device made each tick. */
export function deviceName(storage: Storage, userAgent: string): string {
  const system =
    ['iPhone', 'iPad', 'Android', 'Windows', 'Macintosh', 'CrOS', 'Linux'].find((name) =>
      userAgent.includes(name),
    ) ?? 'Device';
  let id: string | null = null;
  try {
    id = storage.getItem(DEVICE_KEY);
    if (id === null) {
      id = randomUuid().slice(0, 4);
      storage.setItem(DEVICE_KEY, id);
    }
  } catch {
    id ??= '0000';
  }
  return `${system} ${id}`;
}
