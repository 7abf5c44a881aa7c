/** Computes the freshness of the visible picture. Pure. */
import { FROZEN_AFTER_MS } from '@haris/contract/live/video';

/** Times of the last picture: captured (server's clock) and drawn (`performance.now`). Milliseconds. */
export interface LastPicture {
  readonly capturedAt: number;
  readonly drawnAt: number;
}

export type Freshness =
  | { readonly kind: 'none' }
  /** Age of the picture in tenths of a second. */
  | { readonly kind: 'live'; readonly tenths: number }
  /** No picture for too long. Time of the last picture, milliseconds since 1970. */
  | { readonly kind: 'frozen'; readonly since: number };

/**
 * Time without a picture after which the last one counts as frozen: two seconds, or three pictures of a stream that is
 * paced more slowly than that. Milliseconds.
 */
export function frozenAfter(paceMs: number): number {
  return paceMs < FROZEN_AFTER_MS ? FROZEN_AFTER_MS : 3 * paceMs;
}

/**
 * `now` is the server's clock, `steady` is `performance.now`. A slightly wrong clock never makes the age negative.
 * `frozenAfterMs`: {@link frozenAfter}.
 */
export function freshnessOf(
  last: LastPicture | null,
  now: number,
  steady: number,
  frozenAfterMs = FROZEN_AFTER_MS,
): Freshness {
  if (last === null) return { kind: 'none' };
  if (steady - last.drawnAt >= frozenAfterMs) return { kind: 'frozen', since: last.capturedAt };
  return { kind: 'live', tenths: Math.max(0, Math.round((now - last.capturedAt) / 100)) };
}
