/** Children inside whom no camera sees, and enrolled children whom a camera sees although they are not checked in. */
import { notSeenMinutesOf } from '@haris/contract/alarms';
import type { Context } from '../../../context.ts';
import { findCameraAreas } from '../../../db/cameras.ts';
import {
  findPresenceConditions,
  OUTSIDE_CONDITION_MS,
  type PresenceCondition,
} from '../../../db/presence-conditions.ts';
import { readSettings } from '../../../db/settings.ts';
import { findAreasSince, findLastSeen } from '../../../db/sightings.ts';
import type { Detector } from '../detection.ts';
import type { Finding } from '../lifecycle.ts';

type Reading = Pick<Context, 'db' | 'config'>;

const idsOf = (rows: readonly PresenceCondition[]) => rows.map(({ id }) => id);
const childOf = ({ id }: PresenceCondition) => ({ kind: 'child' as const, id });

export function detectPresence(context: Reading): Detector {
  return async (now) => {
    const rows = await findPresenceConditions(context.db);
    const missed = rows.filter((row) => row.stay_id !== null && row.not_seen_stay === row.stay_id);
    const outside = rows.filter(
      ({ stay_id, outside_seen_at: at }) =>
        stay_id === null && at !== null && now - at <= OUTSIDE_CONDITION_MS,
    );
    const findings = [...(await findMissed(context, missed)), ...(await findOutside(context, outside, now))];
    return { kinds: ['not_seen', 'seen_outside'], findings };
  };
}

/** Leaves out children in areas where staff have switched the alert off in the meantime. */
async function findMissed({ db, config }: Reading, rows: readonly PresenceCondition[]): Promise<Finding[]> {
  if (rows.length === 0) return [];
  const settings = await readSettings(db, config);
  const areas = await findCameraAreas(db);
  const seen = await findLastSeen(db, idsOf(rows));
  return rows.flatMap((row) => {
    const area = seen.get(row.id)?.area ?? null;
    const limit = notSeenMinutesOf(settings, area, areas);
    if (limit === null) return [];
    return [{ kind: 'not_seen', condition: `not_seen ${row.stay_id}`, area, subject: childOf(row), limit }];
  });
}

async function findOutside(
  { db }: Reading,
  rows: readonly PresenceCondition[],
  now: number,
): Promise<Finding[]> {
  const areas = await findAreasSince(db, idsOf(rows), now - OUTSIDE_CONDITION_MS);
  return rows.map((row) => ({
    kind: 'seen_outside',
    condition: `seen_outside ${row.id}`,
    area: areas.get(row.id) ?? null,
    subject: childOf(row),
  }));
}
