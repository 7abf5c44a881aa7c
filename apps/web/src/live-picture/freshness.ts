/** How fresh the picture on the screen is. Pure: knows no clock, no language and no screen. */
import { FROZEN_AFTER_MS } from '@haris/contract/live/video';

/** The last picture: when it was taken (the server's clock) and when it was drawn (`performance.now`). Milliseconds. */
export interface LastPicture {
  readonly capturedAt: number;
  readonly drawnAt: number;
}

export type Freshness =
  | { readonly kind: 'none' }
  /** Tenths of a second since it was taken. */
  | { readonly kind: 'live'; readonly tenths: number }
  /** Nothing came for two seconds; the moment of the last picture, milliseconds since 1970. */
  | { readonly kind: 'frozen'; readonly since: number };

/** `now` is the server's clock, `steady` is `performance.now`. A clock that is a little off never makes an age negative. */
export function freshnessOf(last: LastPicture | null, now: number, steady: number): Freshness {
  if (last === null) return { kind: 'none' };
  if (steady - last.drawnAt >= FROZEN_AFTER_MS) return { kind: 'frozen', since: last.capturedAt };
  return { kind: 'live', tenths: Math.max(0, Math.round((now - last.capturedAt) / 100)) };
}
