/** As many children as there may be: in the whole place by their stays, in an area by where cameras saw them last. */
import { alarmsOf } from '@haris/contract/alarms';
import type { Context } from '../../../context.ts';
import { readSettings } from '../../../db/settings.ts';
import { findLastSeen } from '../../../db/sightings.ts';
import type { Detector } from '../detection.ts';

export function detectCapacity({ db, config }: Pick<Context, 'db' | 'config'>): Detector {
  return async () => {
    const settings = await readSettings(db, config);
    const limits: { area: string | null; limit: number }[] = [];
    if (settings.alarms.capacity !== null) limits.push({ area: null, limit: settings.alarms.capacity });
    for (const { area } of settings.areaAlarms) {
      const { capacity } = alarmsOf(settings, area);
      if (capacity !== null) limits.push({ area, limit: capacity });
    }
    if (limits.length === 0) return { kinds: ['capacity'], findings: [] };
    const inside = (
      await db.selectFrom('stays').select('child_id').where('exit_time', 'is', null).execute()
    ).map((row) => row.child_id);
    const seen = limits.some(({ area }) => area !== null)
      ? await findLastSeen(db, inside)
      : new Map<string, { area: string }>();
    const count = (area: string | null): number =>
      area === null ? inside.length : [...seen.values()].filter((last) => last.area === area).length;
    return {
      kinds: ['capacity'],
      findings: limits.flatMap(({ area, limit }) => {
        const value = count(area);
        if (value < limit) return [];
        return [{ kind: 'capacity' as const, episode: `capacity ${area ?? ''}`, area, value, limit }];
      }),
    };
  };
}
