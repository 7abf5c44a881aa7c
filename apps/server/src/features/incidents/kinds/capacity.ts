/** The facility's limit of children inside is reached. The capacity of a room is another kind (decision 043). */
import type { Context } from '../../../context.ts';
import { readSettings } from '../../../db/settings.ts';
import { findChildIdsInside } from '../../../db/stays.ts';
import type { Detector } from '../detection.ts';

export function detectCapacity({ db, config }: Pick<Context, 'db' | 'config'>): Detector {
  return async () => {
    const { capacity: limit } = (await readSettings(db, config)).alarms;
    const value = limit === null ? 0 : (await findChildIdsInside(db)).length;
    if (limit === null || value < limit) return { kinds: ['capacity'], findings: [] };
    return {
      kinds: ['capacity'],
      findings: [{ kind: 'capacity', condition: 'capacity', area: null, value, limit }],
    };
  };
}
