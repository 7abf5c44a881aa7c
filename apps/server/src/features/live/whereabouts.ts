/** Which camera has seen which child when, as far as this server has heard. Knows no rights. */

/** A child stays with a camera that saw it this recently, also while another sees it too. Milliseconds. */
const STAYS_MS = 3_000;

export interface Whereabouts {
  /** Milliseconds since 1970, the server's clock. */
  noteSeen(childId: string, cameraId: string, at: number): void;
  knows(childId: string): boolean;
  /**
   * The camera to watch a child by, of those that are live: the present one while it still sees the child, otherwise the
   * one that saw it last since `since`; null where none of them has.
   */
  locate(
    childId: string,
    asked: { since: number; now: number; present: string | null; isLive: (cameraId: string) => boolean },
  ): string | null;
  /** The camera that saw the child last since a moment, live or not. */
  last(childId: string, since: number): string | null;
  /** Forgets what is older than a moment. */
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
      if (present !== null && at !== undefined && at >= since && now - at <= STAYS_MS && isLive(present))
        return present;
      return newest(childId, since, isLive);
    },
    last: (childId, since) => newest(childId, since, () => true),
    forgetBefore(moment) {
      for (const [childId, cameras] of seen) {
        for (const [cameraId, at] of cameras) if (at < moment) cameras.delete(cameraId);
        if (cameras.size === 0) seen.delete(childId);
      }
    },
  };
}
