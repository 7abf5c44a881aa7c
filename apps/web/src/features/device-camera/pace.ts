/** Adapts frame rate and JPEG quality to the network. Pure. */

export interface Pace {
  /** Milliseconds between two pictures. */
  readonly intervalMs: number;
  /** JPEG quality, 0–1. */
  readonly quality: number;
}

/** At most 15 pictures a second, at least one every two seconds. */
const FASTEST_MS = 1000 / 15;
const SLOWEST_MS = 2000;
const BEST = 0.82;
const LEAST = 0.5;
/** Above this buffered amount the network is too slow for the current pace. Bytes. */
const MUCH = 400_000;
/** Below this buffered amount the pace may rise. Bytes. */
const LITTLE = 60_000;

export const firstPace: Pace = { intervalMs: FASTEST_MS, quality: BEST };

/** Slows down at once when much is buffered, speeds up gradually. `waitingBytes` is `WebSocket.bufferedAmount`. */
export function nextPace({ intervalMs, quality }: Pace, waitingBytes: number): Pace {
  if (waitingBytes > MUCH)
    return {
      intervalMs: Math.min(SLOWEST_MS, intervalMs * 1.5),
      quality: Math.max(LEAST, quality - 0.08),
    };
  if (waitingBytes > LITTLE) return { intervalMs, quality };
  return { intervalMs: Math.max(FASTEST_MS, intervalMs * 0.95), quality: Math.min(BEST, quality + 0.005) };
}

/** Whether another picture may be sent despite the buffered bytes. */
export function hasRoom(waitingBytes: number): boolean {
  return waitingBytes <= MUCH;
}

/** Picture size to send, in pixels: the size of the lens within 1280 × 720 in either orientation, with even sides. */
export function sizeToSend(width: number, height: number): { width: number; height: number } {
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  const scale = Math.min(1, 1280 / long, 720 / short);
  const even = (side: number): number => Math.max(2, Math.round((side * scale) / 2) * 2);
  return { width: even(width), height: even(height) };
}
