/** Enabled cameras that no server gets pictures from. */
import type { Context } from '../../../context.ts';
import { findPairedCameras } from '../../../db/camera-devices.ts';
import { findCameras, isWatched } from '../../../db/cameras.ts';
import type { Detector } from '../detection.ts';

/** Time until a camera counts as down: the first if it was live before, the second if it never was. Milliseconds. */
const DOWN_AFTER_MS = 30_000;
const NEVER_LIVE_AFTER_MS = 120_000;

export function detectCameras({ db, cameras }: Pick<Context, 'db' | 'cameras'>): Detector {
  const lives = new Map<string, { wasLive: boolean; downSince: number | null }>();
  return async (now) => {
    const paired = await findPairedCameras(db);
    const watched = (await findCameras(db)).filter((row) => isWatched(row, paired));
    const ids = new Set(watched.map(({ id }) => id));
    for (const id of lives.keys()) if (!ids.has(id)) lives.delete(id);
    const findings = [];
    const goingOn = new Set<string>();
    for (const { id, area } of watched) {
      const isLive = cameras.report(id)?.state === 'live';
      const life = lives.get(id) ?? { wasLive: false, downSince: null };
      lives.set(id, life);
      if (isLive) {
        life.wasLive = true;
        life.downSince = null;
        continue;
      }
      life.downSince ??= now;
      const condition = `camera_down ${id}`;
      if (now - life.downSince < (life.wasLive ? DOWN_AFTER_MS : NEVER_LIVE_AFTER_MS)) goingOn.add(condition);
      else
        findings.push({
          kind: 'camera_down' as const,
          condition,
          area,
          subject: { kind: 'camera' as const, id },
        });
    }
    return { kinds: ['camera_down'], findings, goingOn };
  };
}
