/** Children inside whom no camera sees, and enrolled children seen although not checked in: as the sightings keep it. */
import type { Context } from '../../../context.ts';
import { OUTSIDE_EPISODE_MS } from '../../../db/sightings.ts';
import type { Detector } from '../detection.ts';

export function detectPresence({ db }: Pick<Context, 'db'>): Detector {
  return async (now) => {
    const rows = await db
      .selectFrom('presence_episodes')
      .innerJoin('children', 'children.id', 'presence_episodes.child_id')
      .leftJoin('stays', (join) =>
        join.onRef('stays.child_id', '=', 'children.id').on('stays.exit_time', 'is', null),
      )
      .select([
        'children.id',
        'children.parent_id',
        'presence_episodes.not_seen_stay',
        'presence_episodes.outside_seen_at',
        'stays.id as stay_id',
      ])
      // The others are children of whom there is nothing to say any more.
      .where((eb) =>
        eb.or([
          eb('presence_episodes.not_seen_stay', 'is not', null),
          eb('presence_episodes.outside_seen_at', 'is not', null),
        ]),
      )
      .execute();
    const findings = rows.flatMap((row) => {
      const isMissed = row.stay_id !== null && row.not_seen_stay === row.stay_id;
      const isOutside =
        row.stay_id === null &&
        row.outside_seen_at !== null &&
        now - row.outside_seen_at <= OUTSIDE_EPISODE_MS;
      if (!isMissed && !isOutside) return [];
      const kind = isMissed ? ('not_seen' as const) : ('seen_outside' as const);
      return [
        {
          kind,
          episode: isMissed ? `not_seen ${row.stay_id}` : `seen_outside ${row.id}`,
          subject: { kind: 'child' as const, id: row.id },
          parentId: row.parent_id,
        },
      ];
    });
    return { kinds: ['not_seen', 'seen_outside'], findings };
  };
}
