/** Stays that end soon, and those whose time is up: until the child is checked out. */
import type { Context } from '../../../context.ts';
import type { Detector } from '../detection.ts';

/** A stay is due this long before its end. Milliseconds. */
const DUE_BEFORE_MS = 10 * 60_000;

export function detectStays({ db }: Pick<Context, 'db'>): Detector {
  return async (now) => {
    const stays = await db
      .selectFrom('stays')
      .innerJoin('children', 'children.id', 'stays.child_id')
      .select(['stays.id', 'stays.child_id', 'stays.entry_time', 'stays.duration', 'children.parent_id'])
      .where('stays.exit_time', 'is', null)
      .execute();
    const findings = stays.flatMap((stay) => {
      const end = stay.entry_time + stay.duration * 60_000;
      if (now < end - DUE_BEFORE_MS) return [];
      const kind = now < end ? ('stay_due' as const) : ('time_up' as const);
      return [
        {
          kind,
          episode: `${kind} ${stay.id}`,
          subject: { kind: 'child' as const, id: stay.child_id },
          parentId: stay.parent_id,
        },
      ];
    });
    return { kinds: ['stay_due', 'time_up'], findings };
  };
}
