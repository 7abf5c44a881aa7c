/**
 * Faces that stay unknown before a camera, where the settings ask for it. The engine says of nobody whether it is a grown-up,
 * and staff are not enrolled: hence off by default.
 */
import { alarmsOf } from '@haris/contract/alarms';
import type { Context } from '../../../context.ts';
import { findCameras } from '../../../db/cameras.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Detector } from '../detection.ts';

/** A face that passes by is not told of. Milliseconds of the engine's clock. */
const STAYS_MS = 5_000;

export function detectUnknownPersons({ db, config, live, clock }: Context): {
  detect: Detector;
  stop(): void;
} {
  const seenAt = new Map<string, number>();
  const stop = live.onSeen(({ cameraId, subjectId, from, to }) => {
    if (subjectId === null && to - from >= STAYS_MS) seenAt.set(cameraId, clock.now());
  });
  let lookedAt: number | null = null;
  return {
    stop,
    async detect(now) {
      const since = lookedAt ?? now;
      lookedAt = now;
      const settings = await readSettings(db, config);
      const cameras = (await findCameras(db)).filter((row) => alarmsOf(settings, row.area).unknownPerson);
      return {
        kinds: ['unknown_person'],
        findings: cameras.flatMap(({ id, area }) =>
          (seenAt.get(id) ?? Number.NEGATIVE_INFINITY) < since
            ? []
            : [
                {
                  kind: 'unknown_person' as const,
                  episode: `unknown_person ${id}`,
                  area,
                  subject: { kind: 'camera' as const, id },
                },
              ],
        ),
      };
    },
  };
}
