/**
 * Ticks of this device that the server has not confirmed yet: kept in local storage until it has, so that neither a lost
 * connection nor a reload loses one. They hold ids and times, no name. Knows no React and no call.
 */
import { z } from 'zod';

const tickSchema = z.object({
  childId: z.string(),
  state: z.enum(['present', 'missing']),
  /** ISO 8601 by the server's clock as the page knows it. */
  at: z.string(),
});
const queueSchema = z.array(tickSchema);
export type Tick = z.infer<typeof tickSchema>;
export type TickState = Tick['state'];

const PREFIX = 'haris.rollCall.';
const DEVICE_KEY = 'haris.device';

const keyOf = (evacuationId: string) => PREFIX + evacuationId;

/** Oldest first; none where the storage cannot be read. */
export function readQueue(storage: Storage, evacuationId: string): readonly Tick[] {
  try {
    return queueSchema.parse(JSON.parse(storage.getItem(keyOf(evacuationId)) ?? '[]'));
  } catch {
    return [];
  }
}

/** A device without storage keeps them for as long as the page is open. */
function writeQueue(storage: Storage, evacuationId: string, queue: readonly Tick[]): void {
  try {
    if (queue.length === 0) storage.removeItem(keyOf(evacuationId));
    else storage.setItem(keyOf(evacuationId), JSON.stringify(queue));
  } catch {
    // Nothing can be done about it here.
  }
}

export function addTick(storage: Storage, evacuationId: string, queue: readonly Tick[], tick: Tick): Tick[] {
  const next = [...queue, tick];
  writeQueue(storage, evacuationId, next);
  return next;
}

/** Without those that the server has confirmed; what was ticked meanwhile stays. */
export function dropSent(
  storage: Storage,
  evacuationId: string,
  queue: readonly Tick[],
  sent: readonly Tick[],
): readonly Tick[] {
  const gone = new Set(sent.map(({ childId, at }) => `${childId} ${at}`));
  const next = queue.filter(({ childId, at }) => !gone.has(`${childId} ${at}`));
  writeQueue(storage, evacuationId, next);
  return next;
}

/** Evacuations with ticks that still have to be told, also after their end. */
export function queuedEvacuations(storage: Storage): string[] {
  return Object.keys(storage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => key.slice(PREFIX.length));
}

/** The newest of a child: of the server's and of those that wait here. */
export function newestTick<T extends { state: TickState; at: string }>(
  childId: string,
  told: T | null,
  queue: readonly Tick[],
): T | Tick | null {
  let newest: T | Tick | null = told;
  for (const tick of queue) {
    if (tick.childId !== childId) continue;
    if (newest === null || Date.parse(tick.at) >= Date.parse(newest.at)) newest = tick;
  }
  return newest;
}

/** A name that stays with this browser, so that the record can say on which device a tick was made. */
export function deviceName(storage: Storage, userAgent: string): string {
  const system =
    ['iPhone', 'iPad', 'Android', 'Windows', 'Macintosh', 'CrOS', 'Linux'].find((name) =>
      userAgent.includes(name),
    ) ?? 'Device';
  let id: string | null = null;
  try {
    id = storage.getItem(DEVICE_KEY);
    if (id === null) {
      id = crypto.randomUUID().slice(0, 4);
      storage.setItem(DEVICE_KEY, id);
    }
  } catch {
    id ??= '0000';
  }
  return `${system} ${id}`;
}
