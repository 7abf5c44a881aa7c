/**
 * Faces that stay unknown before a camera, where the settings ask for it. The engine says of nobody whether it is a grown-up,
 * and of the grown-ups only those are known who asked for it: hence off by default.
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
  /** Cameras that have said so since the last look. */
  const told = new Set<string>();
  const stop = live.onSeen(({ cameraId, subjectId, from, to }) => {
    if (subjectId === null && to - from >= STAYS_MS) told.add(cameraId);
  });
  return {
    stop,
    async detect() {
      const settings = await readSettings(db, config);
      const cameras = await findCameras(db);
      for (const id of share.unknownElsewhere()) told.add(id);
      const findings = cameras.flatMap(({ id, area }) =>
        told.has(id) && alarmsOf(settings, area).unknownPerson
          ? [
              {
                kind: 'unknown_person' as const,
                episode: `unknown_person ${id}`,
                area,
                subject: { kind: 'camera' as const, id },
              },
            ]
          : [],
      );
      told.clear();
      return { kinds: ['unknown_person'], findings };
    },
  };
}
