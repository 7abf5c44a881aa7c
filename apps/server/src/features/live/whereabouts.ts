/** Remembers in memory when each camera last saw each child. */

/** A viewer stays with its camera if that camera saw the child within this time, even if others see it too. Milliseconds. */
const STICKY_MS = 3_000;

export interface Whereabouts {
  /** Milliseconds since 1970, the server's clock. */
  noteSeen(childId: string, cameraId: string, at: number): void;
  knows(childId: string): boolean;
  /**
   * Live camera that shows a child: the current camera while it still sees the child, otherwise the camera that saw the
   * child last; null if no camera has seen the child since `since`.
   */
  locate(
    childId: string,
    asked: { since: number; now: number; present: string | null; isLive: (cameraId: string) => boolean },
  ): string | null;
  /** The camera among `isOne` that saw the child last, live or not; null if none has seen the child since `since`. */
  last(childId: string, since: number, isOne: (cameraId: string) => boolean): string | null;
  /** Forgets all sightings before a moment. */
  forgetBefore(moment: number): void;
}

export function createWhereabouts(): Whereabouts {
  const seen = new Map<string, Map<string, number>>();

  const newest = (childId: string, since: number, isLive: (cameraId: string) => boolean): string | null => {
    let found: { cameraId: string; at: number } | null = null;
    for (const [cameraId, at] of seen.get(childId) ?? [])
      if (at >= since && isLive(cameraId) && (!found || at > found.at)) found = { cameraId, at };
    return found?.cameraId ?? null;
  };

  return {
    noteSeen(childId, cameraId, at) {
      const mine = seen.get(childId) ?? new Map<string, number>();
      mine.set(cameraId, Math.max(at, mine.get(cameraId) ?? 0));
      seen.set(childId, mine);
    },
    knows: (childId) => seen.has(childId),
    locate(childId, { since, now, present, isLive }) {
      const at = present === null ? undefined : seen.get(childId)?.get(present);
      if (present !== null && at !== undefined && at >= since && now - at <= STICKY_MS && isLive(present))
        return present;
      return newest(childId, since, isLive);
    },
    last: newest,
    forgetBefore(moment) {
      for (const [childId, cameras] of seen) {
        for (const [cameraId, at] of cameras) if (at < moment) cameras.delete(cameraId);
        if (cameras.size === 0) seen.delete(childId);
      }
    },
  };
}
