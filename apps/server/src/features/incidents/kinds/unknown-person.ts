/**
 * Faces that stay unknown on a camera. Off by default: the engine cannot tell adults from children, and recognises only
 * adults who asked for it.
 */
import { alarmsOf } from '@haris/contract/alarms';
import type { Context } from '../../../context.ts';
import { findCameras } from '../../../db/cameras.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Detector } from '../detection.ts';

/** A face must stay unknown for this long to be reported. Milliseconds of the engine's clock. */
const STAYS_MS = 5_000;

export function detectUnknownPersons({
  db,
  config,
  live,
  cameras: share,
}: Pick<Context, 'db' | 'config' | 'live' | 'cameras'>): {
  detect: Detector;
  stop(): void;
} {
  /** Cameras that have reported an unknown face since the last look. */
  const reporting = new Set<string>();
  const stop = live.onSeen(({ cameraId, childId, from, to }) => {
    if (childId === null && to - from >= STAYS_MS) reporting.add(cameraId);
  });
  return {
    stop,
    async detect() {
      const settings = await readSettings(db, config);
      const cameras = await findCameras(db);
      for (const id of share.unknownElsewhere()) reporting.add(id);
      const findings = cameras.flatMap(({ id, area }) =>
        reporting.has(id) && alarmsOf(settings, area).unknownPerson
          ? [
              {
                kind: 'unknown_person' as const,
                condition: `unknown_person ${id}`,
                area,
                subject: { kind: 'camera' as const, id },
              },
            ]
          : [],
      );
      reporting.clear();
      return { kinds: ['unknown_person'], findings };
    },
  };
}
