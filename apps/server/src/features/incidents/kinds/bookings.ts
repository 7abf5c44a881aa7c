/**
 * Children who are booked now and are not here: first their family is asked, then the desk is told, until the child is here,
 * somebody has answered, or the booked time is over (decision 051).
 */
import { isMissed } from '@haris/contract/bookings';
import { EXPECTED_UNANSWERED_MS } from '@haris/contract/constants';
import { type BookedToday, findBookedToday } from '../../../bookings.ts';
import type { Context } from '../../../context.ts';
import { lockChild } from '../../../db/children.ts';
import { findFamiliesOf } from '../../../db/guardians/of-child.ts';
import { findOpenIncidents } from '../../../db/incidents.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { Detector } from '../detection.ts';
import type { Finding } from '../lifecycle.ts';

const KIND = 'expected_not_here';

type Needs = Pick<Context, 'db' | 'config' | 'vault' | 'clock'>;

/** The condition names what was expected, so that a later hour is another question. */
function conditionOf({ childId, date, day }: BookedToday): string {
  return `${KIND} ${childId} ${date} ${day.expectedAt}`;
}

export function detectMissingChildren(context: Needs): Detector {
  return async (now) => {
    const missed = (await findBookedToday(context, context.db)).filter(({ presence }) => isMissed(presence));
    const families = await findFamiliesOf(
      context.db,
      missed.map(({ childId }) => childId),
    );
    const open = await findOpenIncidents(context.db, [KIND]);
    const asked = new Map(
      open.filter((row) => row.for_staff === 0).map((row) => [row.condition, row.raised_at]),
    );
    const findings = missed.flatMap((child): Finding[] => {
      const parentId = families.get(child.childId);
      if (parentId === undefined) return [];
      const condition = conditionOf(child);
      const finding: Finding = {
        kind: KIND,
        condition,
        subject: { kind: 'child', id: child.childId },
        stillHolds: (tx) => isStillMissed(context, tx, child),
      };
      const forParent = { ...finding, onlyForParentId: parentId };
      // From the question on, not from the booked time: a server that was down has asked late.
      const askedAt = asked.get(condition);
      const isUnanswered = askedAt !== undefined && now - askedAt >= EXPECTED_UNANSWERED_MS;
      return isUnanswered ? [forParent, finding] : [forParent];
    });
    return { kinds: [KIND], findings };
  };
}

/** Locks the child, so that a check-in at this moment either is seen here or comes after the question. */
async function isStillMissed(context: Needs, { trx }: Tx, child: BookedToday): Promise<boolean> {
  if (!(await lockChild(trx, child.childId))) return false;
  const [now] = await findBookedToday(context, trx, [child.childId]);
  return now !== undefined && isMissed(now.presence) && conditionOf(now) === conditionOf(child);
}
