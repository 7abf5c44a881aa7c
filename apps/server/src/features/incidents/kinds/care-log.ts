/** Sleeping children whose check is overdue, and accidents that a family has not signed (decision 052). */
import type { Context } from '../../../context.ts';
import { findOverdueSleep, findUnsignedToTell } from '../../../db/care-entries.ts';
import { lockChild } from '../../../db/children.ts';
import { findFamiliesOf } from '../../../db/guardians/of-child.ts';
import type { Detector } from '../detection.ts';

/** For how long a family is reminded of an accident; the care log itself keeps asking. Milliseconds. */
const TELLS_FOR_MS = 7 * 24 * 3_600_000;

/**
 * A child who is still not checked is a new condition after this time, so that one acknowledgement of many children
 * silences none of them for good. Milliseconds.
 */
const RENEWED_AFTER_MS = 10 * 60_000;

type Needs = Pick<Context, 'db' | 'clock'>;

/** Ends with a check, with the sleep, with the stay, and after {@link RENEWED_AFTER_MS}, when a new condition follows. */
export function detectOverdueSleep({ db, clock }: Needs): Detector {
  return async (now) => {
    const overdue = await findOverdueSleep(db, now);
    return {
      kinds: ['sleep_check_overdue'],
      findings: overdue.map(({ id, child_id, sleep_due_at }) => ({
        kind: 'sleep_check_overdue',
        condition: `sleep_check_overdue ${id} ${sleep_due_at} ${Math.floor((now - Number(sleep_due_at)) / RENEWED_AFTER_MS)}`,
        subject: { kind: 'child', id: child_id },
        // Locked, so that a check at this moment either is seen here or comes after the incident, and ends it.
        stillHolds: async ({ trx }) =>
          (await lockChild(trx, child_id)) !== undefined &&
          (await findOverdueSleep(trx, clock.now())).some(
            (stay) => stay.id === id && stay.sleep_due_at === sleep_due_at,
          ),
      })),
    };
  };
}

/** Only for the family: staff have entered it themselves. */
export function detectAccidents({ db }: Needs): Detector {
  return async (now) => {
    const since = now - TELLS_FOR_MS;
    const waiting = await findUnsignedToTell(db, since);
    const families = await findFamiliesOf(
      db,
      waiting.map(({ child_id }) => child_id),
    );
    return {
      kinds: ['accident'],
      findings: waiting.flatMap(({ id, child_id }) => {
        const parentId = families.get(child_id);
        if (parentId === undefined) return [];
        return [
          {
            kind: 'accident' as const,
            condition: `accident ${id}`,
            subject: { kind: 'child' as const, id: child_id },
            onlyForParentId: parentId,
            stillHolds: async ({ trx }) =>
              (await lockChild(trx, child_id)) !== undefined &&
              (await findUnsignedToTell(trx, since, id)).length > 0,
          },
        ];
      }),
    };
  };
}
