/** Stays that end soon, for the parent, and overdue stays, for the parent and for staff, until the child is checked out. */
import type { Context } from '../../../context.ts';
import { findOpenStays } from '../../../db/stays.ts';
import type { Detector } from '../detection.ts';

/** How long before its end a stay is announced. Milliseconds. */
const DUE_BEFORE_MS = 10 * 60_000;

export function detectStays({ db }: Pick<Context, 'db'>): Detector {
  return async (now) => {
    const stays = await findOpenStays(db);
    const findings = stays.flatMap((stay) => {
      const end = stay.entry_time + stay.duration * 60_000;
      if (now < end - DUE_BEFORE_MS) return [];
      const kind = now < end ? ('stay_due' as const) : ('time_up' as const);
      const condition = `${kind} ${stay.id}`;
      const subject = { kind: 'child' as const, id: stay.child_id };
      const forParent = { kind, condition, subject, onlyForParentId: stay.parent_id };
      return kind === 'stay_due' ? [forParent] : [forParent, { kind, condition, subject }];
    });
    return { kinds: ['stay_due', 'time_up'], findings };
  };
}
