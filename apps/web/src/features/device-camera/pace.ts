/** How often and how well pictures are sent, by what the network takes. Pure. */

export interface Pace {
  /** Milliseconds from one picture to the next. */
  readonly intervalMs: number;
  /** Of the JPEG, 0–1. */
  readonly quality: number;
}

/** 15 pictures a second at most, one every two seconds at least. */
const FASTEST_MS = 1000 / 15;
const SLOWEST_MS = 2000;
const BEST = 0.82;
const LEAST = 0.5;
/** More than this waits in the socket: the network takes less than is sent. Bytes. */
const MUCH = 400_000;
/** Less than this waits: it may be a little more. Bytes. */
const LITTLE = 60_000;

export const firstPace: Pace = { intervalMs: FASTEST_MS, quality: BEST };

/** After each turn: slower at once when much waits, faster by and by. `waitingBytes` is `WebSocket.bufferedAmount`. */
export function nextPace({ intervalMs, quality }: Pace, waitingBytes: number): Pace {
  if (waitingBytes > MUCH)
    return {
      intervalMs: Math.min(SLOWEST_MS, intervalMs * 1.5),
      quality: Math.max(LEAST, quality - 0.08),
    };
  if (waitingBytes > LITTLE) return { intervalMs, quality };
  return { intervalMs: Math.max(FASTEST_MS, intervalMs * 0.95), quality: Math.min(BEST, quality + 0.005) };
}

/** Whether a picture may be sent on top of what waits. */
export function hasRoom(waitingBytes: number): boolean {
  return waitingBytes <= MUCH;
}

/** The size to send, pixels: as the lens gives it, within 1280 × 720 either way round, even numbers. */
export function sizeToSend(width: number, height: number): { width: number; height: number } {
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  const scale = Math.min(1, 1280 / long, 720 / short);
  const even = (side: number): number => Math.max(2, Math.round((side * scale) / 2) * 2);
  return { width: even(width), height: even(height) };
}
